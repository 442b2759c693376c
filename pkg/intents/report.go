package intents

import "time"

// Report is what became of the turns that the matcher looked at.
type Report struct {
	Days       []Day              `json:"days"` // those with turns, oldest first
	Paths      []Path             `json:"paths"`
	Tools      []Tool             `json:"tools"`
	Buckets    []Bucketed         `json:"buckets"`
	Thresholds map[string]float64 `json:"thresholds"` // that differ from the default
	Unmatched  []Pattern          `json:"unmatched"`  // the most frequent first
	Uses       []Use              `json:"uses"`       // of tools by all turns, the most frequent first
}

// Use is how often an assistant used a tool since it was counted first.
type Use struct {
	Tool   string    `json:"tool"`
	Module string    `json:"module"` // the sub-module of a tool of the books, "" for others
	Used   int       `json:"used"`
	LastAt time.Time `json:"lastAt"`
}

// Day is a day's turns.
type Day struct {
	Day     string `json:"day"` // ISO 8601, in the organisation's time zone
	Turns   int    `json:"turns"`
	Matched int    `json:"matched"`      // without a router call
	Right   int    `json:"matchedRight"` // of Matched, those that were not corrected
}

// Path is how often an agent was reached in one way.
type Path struct {
	How       How    `json:"how"`
	Agent     string `json:"agent"` // "" for none
	Turns     int    `json:"turns"`
	Withdrawn int    `json:"withdrawn"` // repeated, put in other words, or disliked
	MS        int    `json:"ms"`        // on average
}

// Tool is how often turns used a tool.
type Tool struct {
	Tool      string `json:"tool"`
	Turns     int    `json:"turns"`
	Matched   int    `json:"matched"`
	Withdrawn int    `json:"withdrawn"`
	MS        int    `json:"ms"`
}

// Bucketed is a row of intent_routing_stats (S2-56).
type Bucketed struct {
	Intent   string   `json:"intent"`
	Bucket   float64  `json:"bucket"`
	Basis    Basis    `json:"basis"`
	Total    int      `json:"total"`
	Success  int      `json:"success"`
	Failed   int      `json:"failed"`
	MS       int      `json:"ms"`
	Feedback *float64 `json:"feedback"`
	// Checked are the newest turns, 200 to 400 of them, for which the router's model was
	// asked, and CheckedFailed those of them where it chose another agent or the answer
	// was corrected.
	Checked       int  `json:"checked"`
	CheckedFailed int  `json:"checkedFailed"`
	Suspended     bool `json:"suspended"` // it is not matched for now; see Suspended
}

// Pattern is a sentence for which a model chose the agent (S2-58).
type Pattern struct {
	Query       string         `json:"query"`
	Agents      map[string]int `json:"agents"`
	Tools       []string       `json:"tools"`
	Strategy    string         `json:"strategy"`
	Occurrences int            `json:"occurrences"`
	MS          int            `json:"ms"`
	Feedback    *float64       `json:"feedback"`
	LastAt      time.Time      `json:"lastAt"`
}

// Sums returns the turns of all days, and how many were matched, and rightly.
func (r Report) Sums() (turns, matched, right int) {
	for _, d := range r.Days {
		turns, matched, right = turns+d.Turns, matched+d.Matched, right+d.Right
	}
	return turns, matched, right
}
