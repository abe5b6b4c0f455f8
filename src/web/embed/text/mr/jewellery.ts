// What the page says in Marathi of the pieces of gold, of their value, and of the branch that is chosen.
import type { Translated } from '../../text.ts'
import type { jewellery as english } from '../en/jewellery.ts'

export const jewellery: Translated<typeof english> = {
  'pieces.open': 'एकेक दागिना जोडा',
  'pieces.why': 'प्रत्येक दागिना वेगळा, किंवा एका प्रकारचे एकत्र. बेरीज खाली भरली जाते.',
  'pieces.line': 'दागिना {at}',
  'pieces.kind': 'दागिन्याचा प्रकार',
  'pieces.kind.chain': 'चेन',
  'pieces.kind.bangle': 'बांगडी',
  'pieces.kind.ring': 'अंगठी',
  'pieces.kind.necklace': 'हार',
  'pieces.kind.earrings': 'कानातले',
  'pieces.kind.coin': 'नाणे',
  'pieces.kind.other': 'इतर दागिना',
  'pieces.purity': 'शुद्धता',
  'pieces.count': 'किती',
  'pieces.weight': { one: 'वजन, ग्रॅममध्ये', other: 'सर्व {count} चे एकूण वजन, ग्रॅममध्ये' },
  'pieces.weight.each': 'एकाचे वजन, ग्रॅममध्ये',
  'pieces.each': 'मी यातील एक तोलला आहे',
  'pieces.add': 'आणखी एक दागिना जोडा',
  'pieces.remove': 'काढा',
  'pieces.remove.line': 'दागिना {at} काढा',
  'pieces.sum': 'सर्व दागिने मिळून',
  'pieces.grams': '{grams} ग्रॅम',
  'pieces.all': { one: 'एक दागिना, {purity}', other: '{count} दागिने, सर्वात कमी शुद्धता {purity}' },
  'pieces.incomplete': 'प्रत्येक दागिन्याचे वजन आणि शुद्धता लिहा.',
  'pieces.coins': 'कर्जदाता एका व्यक्तीकडून जास्तीत जास्त 50 ग्रॅम सोन्याची नाणी घेऊ शकतो.',

  'gold.value': 'तुमच्या सोन्याचे मूल्य साधारण',
  'gold.gram': '{rate} प्रति ग्रॅम, तुम्ही सांगितलेल्या {grams} ग्रॅमसाठी',
  'gold.source': '{lender} च्या ऑफरवरून काढले: कर्जाची रक्कम, मूल्याच्या ज्या हिश्श्याइतके तो देतो त्याने भागून',
  'gold.tested': 'शाखा सोने तोलते आणि तपासते; तेच मूल्य धरले जाते.',

  'branch.road': 'रस्त्याने साधारण {time}',
  'branch.road.day': 'रस्त्याने एका दिवसापेक्षा जास्त',
  'branch.distant': 'सर्वात जवळची शाखाही दूर आहे: साधारण {km} किमी, {road}. दुसऱ्या कर्जदात्याची शाखा जवळ असू शकते.',
  'branch.book': 'अंतिम ऑफर स्वीकारल्यावर तुम्ही कर्जदात्याच्या पेजवर भेटीचा दिवस ठरवता. रस्त्याचा वेळ अंदाजे आहे.',
  'branch.all': 'सर्व {count} शाखा दाखवा',
  'field.branchID': 'तुम्ही सोने कोणत्या शाखेत नेणार?',
  'hint.branchID': 'सर्वात जवळची आधी. अंतरे अंदाजे आहेत: ती तुमच्या पिन कोडवरून काढली आहेत.',
  'wrong.branchID': 'यातील एक शाखा निवडा',
}
