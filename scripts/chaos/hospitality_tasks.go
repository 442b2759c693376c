package main

import "github.com/bellhop-ai/bellhop/infra/local/model/script"

// firstTasks add, find and go on.
func firstTasks() []task {
	extra := func(name, agrees, reply, want string, write int) task {
		return task{name: name, agent: "inventory", needs: []string{"create_extra"}, write: write,
			turns: []taskTurn{
				{says: "Add an extra called Swing $ref, 45 per guest",
					steps: []script.Step{call("create_extra", `{"name":"Swing $ref","price":45,"per":"guest"}`)},
					reply: "Swing $ref"},
				{says: agrees, reply: reply},
			},
			query: "select string_agg(price::text, ' ') from public.extras where name = 'Swing $ref'", want: want}
	}
	return []task{
		extra("adds an extra after a yes", "yes please", "Added the extra Swing $ref", "45.00", 1),
		extra("adds an extra after a click", "confirm: approve", "Added the extra Swing $ref", "45.00", 1),
		extra("adds an extra in Hindi", "haan, kar do", "Added the extra Swing $ref", "45.00", 1),
		extra("adds nothing after a no", "no thanks", "Nothing was changed", "", 0),
		extra("adds nothing after another click", "confirm: reject", "Nothing was changed", "", 0),
		{name: "finds a free cabin", agent: "reservations", needs: []string{"check_all_availability"},
			turns: []taskTurn{{says: "What is free?",
				steps: []script.Step{call("check_all_availability", `{"check_in":"$in","check_out":"$out"}`),
					say("These: [[table:t1a]]")}, reply: "<table"}}},
		{name: "goes on after a table", agent: "inventory", needs: []string{"list_extras"},
			turns: []taskTurn{
				{says: "Which extras?", steps: []script.Step{call("list_extras", `{}`), say("These.")},
					reply: "<table"},
				{says: "Thank you", steps: []script.Step{say("You are welcome.")}, reply: "You are welcome."},
			}},
	}
}

// bookingTasks book, change, pay for and cancel, in one conversation each.
func bookingTasks() []task {
	const one = "select count(*) from public.reservations where guest_name = 'Guest $ref' and "
	book := []taskTurn{
		{says: "Book COCO for Guest $ref, two adults", steps: []script.Step{call("create_reservation",
			`{"room":"COCO","check_in":"$in","check_out":"$out","guest_name":"Guest $ref",`+
				`"adults":2,"ignore_restrictions":true}`)}, reply: "Guest $ref"},
		{says: "yes", reply: "Guest $ref"},
	}
	then := func(says, tool, arguments, reply string) []taskTurn {
		return append(book[:2:2], taskTurn{says: says, steps: []script.Step{call(tool, arguments)},
			reply: "Guest $ref"},
			taskTurn{says: "confirm: approve", reply: reply})
	}
	return []task{
		{name: "books a cabin", agent: "reservations", needs: []string{"create_reservation"}, write: 1, turns: book,
			query: one + "status = 'confirmed' and nights = 2", want: "1"},
		{name: "books and cancels", agent: "reservations", needs: []string{"create_reservation", "cancel_reservation"},
			write: 2,
			turns: then("Cancel that again", "cancel_reservation", `{"code":"$code","reason":"ill"}`, "ancelled"),
			query: one + "status = 'cancelled'", want: "1"},
		{name: "books and pays", agent: "reservations", needs: []string{"create_reservation", "record_payment"},
			write: 2,
			turns: then("They paid 100 in cash", "record_payment", `{"code":"$code","amount":100,"method":"cash"}`,
				"100"),
			query: "select sum(p.amount) from public.payments p join public.reservations r on r.id = " +
				"p.reservation_id where r.guest_name = 'Guest $ref'", want: "100.00"},
		{name: "books and stays longer", agent: "reservations", needs: []string{"create_reservation",
			"edit_reservation"}, write: 2,
			turns: append(book[:2:2], taskTurn{says: "One night more", agent: "edit_reservations", reply: "3",
				steps: []script.Step{call("edit_reservation",
					`{"code":"$code","check_out":"$later","ignore_restrictions":true}`)}},
				taskTurn{says: "confirm: approve", reply: "3"}),
			query: one + "nights = 3", want: "1"},
	}
}

// catalogueTasks change what the house offers.
func catalogueTasks() []task {
	swing := []taskTurn{
		{says: "Add an extra called Swing $ref",
			steps: []script.Step{call("create_extra", `{"name":"Swing $ref","price":45,"per":"guest"}`)},
			reply: "Swing $ref"},
		{says: "yes", reply: "Added the extra"},
	}
	then := func(says, tool, arguments string) []taskTurn {
		return append(swing[:2:2], taskTurn{says: says, steps: []script.Step{call(tool, arguments)},
			reply: "Swing $ref"}, taskTurn{says: "confirm: approve", reply: "$ref"})
	}
	return []task{
		{name: "adds an extra and changes its price", agent: "inventory", needs: []string{"create_extra",
			"update_extra"}, write: 2,
			turns: then("Make it 50", "update_extra", `{"extra":"Swing $ref","price":50}`),
			query: "select price from public.extras where name = 'Swing $ref'", want: "50.00"},
		{name: "adds an extra and deletes it", agent: "inventory", needs: []string{"create_extra", "delete_extra"},
			write: 2,
			turns: then("No, delete it", "delete_extra", `{"extra":"Swing $ref"}`),
			query: "select count(*) from public.extras where name = 'Swing $ref'", want: "0"},
		{name: "adds a dish", agent: "chef_menu", needs: []string{"create_chef_menu_item"}, write: 1,
			turns: []taskTurn{
				{says: "Add a soup", steps: []script.Step{call("create_chef_menu_item",
					`{"name":"Soup $ref","category":"starters","price":12}`)}, reply: "Soup $ref"},
				{says: "yes", reply: "Soup $ref"},
			}, query: "select price from public.chef_menu_items where name = 'Soup $ref'", want: "12.00"},
		{name: "adds a dish and takes it off without asking", agent: "chef_menu",
			needs: []string{"create_chef_menu_item", "toggle_chef_menu_availability"}, write: 1,
			turns: []taskTurn{
				{says: "Add a stew", steps: []script.Step{call("create_chef_menu_item",
					`{"name":"Stew $ref","category":"starters","price":12}`)}, reply: "Stew $ref"},
				{says: "yes", reply: "Stew $ref"},
				{says: "Take it off", steps: []script.Step{call("toggle_chef_menu_availability",
					`{"item":"Stew $ref","available":false}`), say("It is off.")}, reply: "It is off."},
			}, query: "select available from public.chef_menu_items where name = 'Stew $ref'", want: "false"},
		{name: "blocks a cabin", agent: "blocked_dates", needs: []string{"block_dates"}, write: 1,
			turns: []taskTurn{
				{says: "Block COCO", steps: []script.Step{call("block_dates",
					`{"rooms":["COCO"],"start_date":"$out","end_date":"$out",`+
						`"reason":"maintenance","note":"Note $ref"}`)}, reply: "Note $ref"},
				{says: "yes", reply: "locked"},
			}, query: "select count(*) from public.blocked_dates where note = 'Note $ref'", want: "1"},
	}
}
