// What the page says in Hindi of the pieces of gold, of their value, and of the branch that is chosen.
import type { Translated } from '../../text.ts'
import type { jewellery as english } from '../en/jewellery.ts'

export const jewellery: Translated<typeof english> = {
  'pieces.open': 'एक-एक गहना जोड़ें',
  'pieces.why': 'हर गहना अलग, या एक जैसे गहने साथ में। जोड़ नीचे भर जाता है।',
  'pieces.line': 'गहना {at}',
  'pieces.kind': 'गहने का प्रकार',
  'pieces.kind.chain': 'चेन',
  'pieces.kind.bangle': 'चूड़ी या कड़ा',
  'pieces.kind.ring': 'अँगूठी',
  'pieces.kind.necklace': 'हार',
  'pieces.kind.earrings': 'कान की बाली',
  'pieces.kind.coin': 'सिक्का',
  'pieces.kind.other': 'दूसरा गहना',
  'pieces.purity': 'शुद्धता',
  'pieces.count': 'कितने',
  'pieces.weight': { one: 'वज़न, ग्राम में', other: 'सभी {count} का कुल वज़न, ग्राम में' },
  'pieces.weight.each': 'एक का वज़न, ग्राम में',
  'pieces.each': 'मैंने इनमें से एक तौला है',
  'pieces.add': 'एक और गहना जोड़ें',
  'pieces.remove': 'हटाएँ',
  'pieces.remove.line': 'गहना {at} हटाएँ',
  'pieces.sum': 'सब गहने मिलाकर',
  'pieces.grams': '{grams} ग्राम',
  'pieces.all': { one: 'एक गहना, {purity}', other: '{count} गहने, सबसे कम शुद्धता {purity}' },
  'pieces.incomplete': 'हर गहने का वज़न और शुद्धता भरें।',
  'pieces.coins': 'ऋणदाता एक व्यक्ति से ज़्यादा से ज़्यादा 50 ग्राम सोने के सिक्के ले सकता है।',

  'gold.value': 'आपके सोने का मूल्य लगभग',
  'gold.gram': '{rate} प्रति ग्राम, आपके बताए {grams} ग्राम के लिए',
  'gold.source': '{lender} के ऑफ़र से निकाला गया: लोन की रकम, मूल्य के उस हिस्से से भाग देकर जो वह देता है',
  'gold.tested': 'शाखा सोना तौलती और जाँचती है; वही मूल्य माना जाता है।',

  'branch.road': 'सड़क से लगभग {time}',
  'branch.road.day': 'सड़क से एक दिन से ज़्यादा',
  'branch.distant': 'सबसे पास वाली शाखा भी दूर है: लगभग {km} किमी, {road}। किसी दूसरे ऋणदाता की शाखा ज़्यादा पास हो सकती है।',
  'branch.book': 'अंतिम ऑफ़र स्वीकार करने के बाद आप ऋणदाता के पेज पर आने का दिन तय करते हैं। सड़क का समय अंदाज़ा है।',
  'branch.all': 'सभी {count} शाखाएँ दिखाएँ',
  'field.branchID': 'आप सोना किस शाखा में ले जाएँगे?',
  'hint.branchID': 'सबसे पास वाली पहले। दूरी आपके पिन कोड से निकाला गया अंदाज़ा है।',
  'wrong.branchID': 'कोई एक शाखा चुनें',
}
