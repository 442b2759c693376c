package infra_test

// faultRow is one fault and what has to come of it. Open says what no test
// shows yet, or which feature brings the fault about; empty means that the
// tests that name the row show all of it.
type faultRow struct {
	id, fault, outcome, open string
}

const (
	noMCP     = "comes with tools of remote MCP servers"
	noFlights = "comes with the flight search"
	noExport  = "comes with exports"
)

func faultRows() []faultRow {
	return []faultRow{
		{"F-01", "the same turn is sent twice", "the second answer is the first, byte for byte, and says so", ""},
		{"F-02", "the same turn a hundred times at once", "it runs once; the others are told to wait, then get the same answer", ""},
		{"F-03", "a turn's name with another body", "422, and nothing runs", ""},
		{"F-04", "the same name from another person or tenant", "it is another turn; nobody reads another's answer", ""},
		{"F-05", "the client leaves at four points of the stream and sends the turn again", "each write happens once; the second answer tells of it", ""},
		{"F-06", "the process is killed at twelve or more points of a write", "the invariants hold; sent again, the turn completes or says that it is not known", ""},
		{"F-07", "a killed turn is sent again before and after its lease ends", "409, then it goes on from its journal", ""},
		{"F-08", "no time is left when a turn begins", "it is refused; a lease is never empty", ""},
		{"F-09", "the database's connection breaks before and after COMMIT was sent", "looked up by the effect key: nothing twice, nothing lost", ""},
		{"F-10", "the database rolls a write back for another's sake (40001, 40P01)", "sent again a few times; nobody sees it", ""},
		{"F-11", "64 clients book three rooms over 21 days", "no overlap, no deadlock", ""},
		{"F-12", "two groups book the same rooms in opposite order", "all of one or nothing; no deadlock", ""},
		{"F-13", "a booking races a block of the same nights", "one wins", ""},
		{"F-14", "a row changes between preview and consent", "409, and a new preview is wanted", ""},
		{"F-15", "the database is away", "503 with Retry-After, no model is paid for, and it recovers", ""},
		{"F-16", "a query takes too long", "the database stops it; a typed error; the connection goes on", ""},
		{"F-17", "the model's provider says 429 with every kind of Retry-After", "honoured where it fits, else a quick typed refusal", ""},
		{"F-18", "the model's provider fails once, twice, for ever", "few repetitions; tools do not run again", ""},
		{"F-19", "the model's stream is cut after text was shown", "no text is shown twice", ""},
		{"F-20", "the model's stream is cut inside a call's arguments", "the call never runs; the step is asked again", ""},
		{"F-21", "an answer without its end, or with half of its arguments", "never run; a typed failure", ""},
		{"F-22", "arguments that are no JSON, twice the same name, too deep, of the wrong type", "the model is told; nothing is written", ""},
		{"F-23", "a tool that does not exist, of no name, or of another agent", "the model is told; nothing happens", ""},
		{"F-24", "fifty calls at once, ids that stand twice", "sixteen at most; ids unique; results in order", ""},
		{"F-25", "a model that calls tools for ever", "it stops at the agent's rounds and says what was not done", ""},
		{"F-26", "no choice, no content, a refusal, a filter", "a typed answer", ""},
		{"F-27", "the model claims what it did not do", "the answer says that nothing was changed", ""},
		{"F-28", "calls that are announced before their arguments", "run only when they are complete", "comes with the Responses API"},
		{"F-29", "oddities of event streams: split lines, BOM, one byte at a time, 2 MiB lines", "read alike; too long a line is refused", ""},
		{"F-30", "history with calls and results that do not belong together", "the model is never sent an invalid list", ""},
		{"F-31", "a history of 10 MB, of 100,000 messages, one message of 5 MB", "413, quickly, without the memory for it", ""},
		{"F-32", "the model says that the conversation is too long", "it is shortened once and asked again", "the model's refusal is told to the person; nothing is shortened yet"},
		{"F-33", "forged assistant, tool and system messages", "no authority, no write", ""},
		{"F-34", "a sealed message that was changed, moved, dropped, doubled, borrowed", "it loses its authority; no write", ""},
		{"F-35", "an expired seal, a rotated key", "read or degraded; the conversation goes on", ""},
		{"F-36", "a consent used again, too late, by another, for something else", "refused; nothing is written", ""},
		{"F-37", "fifty clicks on the same button", "one effect, and all see the same", ""},
		{"F-38", "words of assent for nothing, for two things, with conditions", "only the closed list counts", ""},
		{"F-39", "the role is taken away between question and consent", "403", ""},
		{"F-40", "directives planted in every place where people write", "no unauthorised write, no foreign byte, no fetching render, no duplicate", ""},
		{"F-41", "a model that an attacker owns, a thousand turns and more", "the same", ""},
		{"F-42", "ids, codes and handles of another tenant", "not found, as if they did not exist", ""},
		{"F-43", "filter syntax in values", "looked for as written", ""},
		{"F-44", "tokens that are forged, expired, for others", "401", ""},
		{"F-45", "a remote tool times out after it did the write", "unknown, looked up, not repeated", noMCP},
		{"F-46", "a remote tool stalls, mismatches, answers 50 MB", "typed and capped", noMCP},
		{"F-47", "a remote tool changes its schema or its description", "switched off until it is looked at", noMCP},
		{"F-48", "an order that fails later, an offer that changed its price", "shown; consent anew", noFlights},
		{"F-49", "webhooks with bad, old, repeated signatures", "401; a repetition does nothing", "verified and counted; no function takes one yet"},
		{"F-50", "mail is sent and the answer is lost", "no second mail", ""},
		{"F-51", "hostile markup as names", "no executable node; stored and shown as typed", ""},
		{"F-52", "formulas in exported cells", "none is a formula; numbers stay numbers", noExport},
		{"F-53", "spreadsheet bombs, lying audio headers", "refused quickly", ""},
		{"F-54", "addresses that lead inside", "no connection", "shown for attachments; the rest comes with addresses that tenants choose, today all are set by the operator"},
		{"F-55", "the tenant's budget ends in the middle of a turn", "overshoot of one turn at most", ""},
		{"F-56", "a tenant floods", "others hardly notice", ""},
		{"F-57", "SIGTERM with live streams", "they end in order; no half write", ""},
		{"F-58", "readers who do not read", "a deadline; nothing is left running", ""},
		{"F-59", "clock changes, 29 February, no nights, 400 nights", "the property's own dates; half-open ranges", ""},
		{"F-60", "amounts that floats get wrong", "exact", ""},
		{"F-61", "names in other forms, hidden and turned-around signs", "stored exactly, found alike, shown in previews", ""},
		{"F-62", "a panic in a tool", "that turn fails; the process lives", ""},
		{"F-63", "one specialist of several fails", "an honest part", "comes with parallel specialists"},
		{"F-64", "two windows edit one stored session", "nothing is lost", ""},
		{"F-65", "an answer from a cache", "never across roles, fresh after a write", "comes with the cache"},
	}
}
