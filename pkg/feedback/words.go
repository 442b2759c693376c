package feedback

// Small words in English, Hindi and Hinglish, in small letters.

// isStop reports whether a word says nothing of what a question is about.
func isStop(w string) bool {
	switch w {
	case "s", "t", "d", "m", "ll", "re", "ve", // what is left of "month's" and "don't"
		"a", "about", "all", "am", "an", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did",
		"do", "does", "for", "from",
		"get", "give", "had", "has", "have", "how", "i", "if", "in", "is", "just", "let", "list", "like", "may", "me",
		"mean", "meant", "mine",
		"my", "need", "now", "of", "on", "or", "our", "please", "plz", "show", "so", "some", "tell", "than", "the",
		"their", "them", "there",
		"these", "they", "to", "try", "us", "want", "was", "we", "were", "what", "when", "where", "which", "who",
		"whom", "whose", "why", "will",
		"with", "would", "you", "your", "find", "see", "check", "look", "know", "hai", "hain", "tha", "thi", "ho",
		"hoga", "hogi", "hoge", "ka",
		"ke", "ki", "ko", "se", "mein", "mai", "main", "par", "pe", "tak", "kya", "kaun", "kab", "kahan", "kaise",
		"kitna", "kitne", "kitni",
		"kyon", "kyu", "mujhe", "mera", "mere", "meri", "hum", "hume", "hamara", "aap", "aapka", "ji", "na", "ne",
		"wala", "wale", "wali", "koi",
		"kuch", "sab", "liye", "dikhao", "dikha", "batao", "bata", "dena", "de", "karo", "karna", "kar", "raha",
		"rahe", "rahi", "chahiye",
		"chahie", "sakte", "sakta", "krdo", "kr", "है", "हैं", "था", "थे", "थी", "हो", "होगा", "होगी", "का", "के",
		"की", "को", "से", "में",
		"मैं", "पर", "तक", "क्या", "कौन", "कब", "कहाँ", "कहां", "कैसे", "कितना", "कितने", "कितनी", "क्यों", "मुझे",
		"मेरा", "मेरे", "मेरी", "हम",
		"हमें", "आप", "आपका", "जी", "ना", "तो", "ने", "वाला", "वाले", "वाली", "कोई", "कुछ", "सब", "लिए", "दिखाओ",
		"दिखाइए", "बताओ", "बताइए",
		"दो", "दे", "देना", "करो", "करना", "कर", "कीजिए", "रहा", "रहे", "रही", "चाहिए":
		return true
	}
	return false
}

// isPointer reports whether a word leans on what was said before.
func isPointer(w string) bool {
	switch w {
	case "again", "also", "and", "another", "else", "it", "its", "more", "other", "others", "same", "that", "then",
		"those", "too", "instead",
		"aur", "bhi", "wahi", "wohi", "vahi", "uska", "uske", "uski", "unka", "unke", "unki", "iska", "iske", "iski",
		"inka", "inke", "inki",
		"yeh", "ye", "woh", "wo", "vo", "isme", "usme", "phir", "fir", "zyada", "jyada", "baki", "और", "भी", "वही",
		"उसका", "उसके", "उसकी",
		"उनका", "उनके", "उनकी", "इसका", "इसके", "इसकी", "इनका", "इनके", "इनकी", "यह", "ये", "वह", "वो", "फिर",
		"ज़्यादा", "ज्यादा", "बाकी",
		"अगला":
		return true
	}
	return false
}

// isVerdict reports whether a word agrees, thanks, greets or complains.
func isVerdict(w string) bool {
	switch w {
	case "yes", "yeah", "yep", "ok", "okay", "sure", "fine", "no", "not", "nope", "never", "wrong", "incorrect", "bad",
		"useless", "thanks",
		"thank", "thx", "great", "good", "nice", "perfect", "hello", "hi", "hey", "bye", "haan", "han", "haanji",
		"theek", "thik", "accha",
		"acha", "nahi", "nahin", "nai", "mat", "galat", "bekar", "rehne", "dhanyavad", "shukriya", "namaste", "हाँ",
		"हां", "ठीक", "अच्छा",
		"नहीं", "मत", "गलत", "ग़लत", "बेकार", "रहने", "धन्यवाद", "शुक्रिया", "नमस्ते":
		return true
	}
	return false
}
