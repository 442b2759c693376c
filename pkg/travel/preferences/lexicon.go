package preferences

// The words by which Learn knows what a sentence is about. Each list has the form that is
// kept; spellings of it follow behind a colon.

func airlineWords() []string {
	return []string{"Aer Lingus", "Aeromexico", "Air Canada", "Air France", "Air India",
		"Air India Express", "Air New Zealand", "AirAsia: air asia", "Akasa Air: akasa", "Alaska Airlines",
		"American Airlines", "ANA: all nippon", "Asiana", "Austrian Airlines", "Avianca",
		"British Airways: ba, british air", "Brussels Airlines", "Cathay Pacific: cathay", "China Airlines",
		"China Eastern", "China Southern", "Copa", "Delta: delta air lines", "easyJet: easy jet",
		"Emirates", "Ethiopian Airlines: ethiopian", "Etihad", "Eurowings", "EVA Air", "Finnair",
		"Garuda Indonesia: garuda", "Gulf Air", "Iberia", "Icelandair", "IndiGo", "ITA Airways",
		"Japan Airlines: jal", "JetBlue: jet blue", "Jetstar", "Kenya Airways", "KLM", "Korean Air",
		"LATAM", "LOT", "Lufthansa", "Malaysia Airlines", "Norwegian", "Oman Air", "Philippine Airlines",
		"Qantas", "Qatar Airways: qatar", "Royal Jordanian", "Ryanair", "SAS", "Saudia", "Scoot",
		"Singapore Airlines: singapore air", "SWISS: swiss air", "Southwest", "SpiceJet: spice jet",
		"SriLankan Airlines: srilankan", "TAP: tap portugal", "Thai Airways", "Turkish Airlines: turkish",
		"United: united airlines", "Vietnam Airlines", "Virgin Atlantic", "Virgin Australia", "Vistara",
		"Vueling", "WestJet", "Wizz Air: wizz"}
}

func chainWords() []string {
	return []string{"Accor", "Best Western", "citizenM", "Crowne Plaza", "DoubleTree", "Four Seasons",
		"Hampton", "Hilton", "Holiday Inn", "Hyatt", "Ibis", "IHG", "InterContinental", "ITC Hotels: itc",
		"JW Marriott", "Kempinski", "Leela: the leela", "Lemon Tree", "Mandarin Oriental", "Marriott",
		"Melia", "Mercure", "Mövenpick: movenpick", "NH Hotels", "Novotel", "Oberoi", "OYO", "Park Hyatt",
		"Premier Inn", "Radisson", "Raffles", "Ritz-Carlton: ritz carlton", "Rosewood",
		"Shangri-La: shangri la", "Sheraton", "Sofitel", "St. Regis: st regis", "Taj", "Treebo", "Westin"}
}

func dietWords() []string {
	return []string{"vegetarian: veg, veggie", "vegan: plant-based, plant based", "pescatarian",
		"Jain: jain food", "halal", "kosher", "gluten-free: gluten free, coeliac, celiac, no gluten",
		"lactose-free: lactose free, lactose intolerant", "dairy-free: dairy free, no dairy",
		"nut allergy: allergic to nuts, nut-free, no nuts", "peanut allergy: allergic to peanuts",
		"shellfish allergy: allergic to shellfish, no shellfish", "egg-free: allergic to eggs, no eggs",
		"no pork: don t eat pork", "no beef: don t eat beef", "diabetic",
		"low-sodium: low sodium, low salt"}
}

func needWords() []string {
	return []string{"wheelchair: wheelchair user, uses a wheelchair",
		"step-free access: step free, can t climb stairs",
		"hearing aid: hard of hearing, hearing impaired, deaf",
		"visual impairment: visually impaired, blind", "walking stick: cane, crutches",
		"accessible bathroom: roll-in shower, grab bars", "guide dog: assistance dog",
		"airport assistance: assistance at the airport", "lift access: elevator access"}
}

func interestWords() []string {
	return []string{"architecture", "art", "art galleries: galleries", "beaches: beach, the beach",
		"birdwatching: bird watching", "camping", "castles", "concerts: live music", "cooking classes",
		"cycling: biking", "diving: scuba, scuba diving", "festivals", "fishing",
		"food: street food, local food, good food", "football", "gardens", "golf", "hiking: hikes",
		"history", "jazz", "kayaking", "markets: flea markets", "mountains", "museums: museum", "nature",
		"nightlife: clubs", "opera", "photography", "running", "safaris: safari", "sailing", "shopping",
		"skiing", "snorkelling: snorkeling", "spas: spa, wellness", "surfing", "swimming", "temples",
		"theatre: theater", "theme parks: amusement parks", "trekking: treks", "walking tours: walking",
		"wildlife", "wine: wine tasting, wineries", "yoga"}
}
