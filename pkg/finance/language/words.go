package language

import (
	"strings"
	"sync"
)

// strongWords are Hindi words in Latin letters that are no English words: those of
// accounting and those that hold a sentence together. Doubled vowels are folded.
const strongWords = `banao banaiye banana banado bana dikhao dikhaiye dikha dikhado batao bataiye bata
		batado bhejo bhejiye bhej bhejdo hatao hataiye mitao badlo badal jodo jodiye likho
		likhiye nikalo nikaliye kholo dekho dekhna dekhiye suno chahiye kharcha kharche kharch
		bikri bikree kharid kharidi khareed khareedi munafa naafa nafa fayda faida nuksan
		nuqsan ghata baki baaki bakaya bakaye udhar udhaar jama nikasi bhugtan vasuli vasooli
		wasuli hisab hisaab khata khate rokad nakad nagad mal maal grahak grahakon vyapari
		byapari byaj tulna vishleshan purvanuman pichhla pichla pichhle pichle pichhli pichli
		agla agle agli mahine mahina mahino saal sal salana hafta hafte aaj aj kal parso
		parson subah sham tarikh tareekh paisa paise paisay rupaye rupaya rupay dukan dukaan
		karobar dhandha vyapar len den lena dena liya diya milega mila mile milenge aaya aaye
		aya aye ayega aayega gaya gaye gayi haan han ji theek thik nahi nahin nahee accha acha
		achha aur phir fir abhi tak kitna kitne kitni kya kyon kyun kab kaun kaunse kaunsa kis
		kisne kisko kiska kiski kiske kahan kahaan kaise kaisa kaisi hai hain ho hoga hogi
		honge tha thi hua hui hue raha rahi rahe ka ki ke ko se mein mera meri mere mujhe
		mujhko hamara hamari hamare humara humari apna apni apne aapka aapki aapke iska iski
		iske isko uska uski uske usko inka unka unko wala wale wali sab sabhi sare saare sabse
		zyada jyada jyaada kam bahut thoda karo karna kariye kare karein karke kardo kar dedo
		dijiye lekin agar toh sirf bas yahan wahan pura poora poori purana naya nayi naye sath
		saath liye wajah bhi nikal lagao lagta namaste namaskar dhanyavaad dhanyavad shukriya
		alvida laga lagega bharna bhara bharo chukana chukao chukaya`

// grammarWords are words in Devanagari that only stand in a Hindi sentence.
const grammarWords = `है हैं हूँ था थी थे का की के को से में पर और या नहीं मत हाँ जी ठीक कितना कितने कितनी
		क्या कब कौन कहाँ कहां कैसे कैसा किस किसने दिखाओ दिखाइए दिखा दिखाएँ बताओ बताइए बता बनाओ
		बनाइए बना भेजो भेजिए भेज हटाओ बदलो जोड़ो करो कीजिए कर दो दे चाहिए मेरा मेरी मेरे मुझे
		हमारा हमारी हमारे अपना इस उस यह वह आज कल परसों पिछले पिछला पिछली अगले महीने साल हफ्ते
		तक बाकी बकाया खर्च खर्चा बिक्री मुनाफा`

// nearWords are those of the strong words of which near spellings count. The others
// are too much like English words.
const nearWords = `dikhao dikhaiye bataiye banaiye bhejiye hataiye kharcha bikri kharid munafa fayda
		nuksan bakaya udhar nikasi bhugtan vasuli hisab khata grahak vyapari vishleshan
		purvanuman pichhla pichla pichhle pichle pichhli mahina kitna kitni chahiye dijiye
		kariye mujhe hamara rupaye tarikh karobar zyada sabhi batao bhejo`

// englishWords are English words beside near words.
const englishWords = `machine machines kitten kitty friday bikini kharif china chiller bhutan data dates
		pitch pichet bakery vanuatu mahindra hisar bhatia khatau khanna bataan batik batman
		banjo faydor udder`

// words are the lists as they are looked up.
type words struct {
	strong, grammar, english map[string]bool
	near                     map[byte][]string // by the first letter
}

// lists are read at their first use.
var lists = sync.OnceValue(func() words {
	return words{set(strongWords), set(grammarWords), set(englishWords), byFirst(nearWords)}
})

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
		out[Fold(w)] = true
	}
	return out
}

func byFirst(words string) map[byte][]string {
	out := map[byte][]string{}
	for w := range strings.FieldsSeq(words) {
		out[w[0]] = append(out[w[0]], Fold(w))
	}
	return out
}
