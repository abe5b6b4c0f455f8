// What the page says in Marathi of a loan on gold: the gold itself, the branches, the visit.
import type { Translated } from '../../text.ts'
import type { gold as english } from '../en/gold.ts'

export const gold: Translated<typeof english> = {
  'progress.visit': 'शाखा भेट',

  'profile.gold': 'तुमचे सोने आणि तुमचा परिसर',
  'profile.gold.lead': 'तुम्हाला किती कर्ज देता येईल आणि कोणत्या शाखा जवळ आहेत हे कर्जदाते यावरून ठरवतात.',
  'field.jewelleryWeightGrams': 'सोन्याचे वजन, ग्रॅममध्ये',
  'hint.jewelleryWeightGrams': 'सर्व दागिने मिळून, खडे वगळून. साधारण अंदाज पुरेसा आहे: शाखेत वजन केले जाते.',
  'wrong.jewelleryWeightGrams': 'वजन ग्रॅममध्ये, अंकांत लिहा, उदा. 24.5',
  'field.purity': 'सोन्याची शुद्धता',
  'hint.purity':
    'बहुतेक दागिने 22K असतात. हॉलमार्क पाहा: 22K916 म्हणजे 22K, 18K750 म्हणजे 18K. दागिने वेगवेगळे असल्यास सर्वात कमी शुद्धता निवडा.',
  'field.purity.24K': '24K',
  'field.purity.22K': '22K',
  'field.purity.21K': '21K',
  'field.purity.18K': '18K',
  'field.purity.14K': '14K',
  'field.purity.9K': '9K',
  'wrong.purity': 'सोन्याची शुद्धता निवडा',
  'field.userType': 'कर्ज कोण घेत आहे?',
  'field.userType.individual': 'मी, स्वतःच्या नावाने',
  'field.userType.non-individual': 'फर्म किंवा इतर संस्था',
  'wrong.userType': 'कर्ज कोण घेत आहे ते निवडा',
  'field.constitution': 'फर्म किंवा संस्था कोणत्या प्रकारची आहे?',
  'hint.constitution': 'उदा. भागीदारी, प्रायव्हेट लिमिटेड कंपनी, ट्रस्ट',
  'wrong.constitution': 'फर्म किंवा संस्थेचा प्रकार लिहा',

  'terms.ltv': 'सोन्याच्या मूल्यावर कर्ज (LTV)',
  'terms.ltv.why': 'तुमच्या सोन्याच्या मूल्याच्या {rate}',
  'terms.ltv.most': 'तुमच्या सोन्याच्या मूल्याच्या {rate} पर्यंत',
  'branch.takes': 'सोने कुठे न्यायचे',
  'branch.count': { one: 'एक शाखा', other: '{count} शाखा' },
  'branch.count.here': { one: 'एक शाखा, तुमच्या परिसरात', other: '{count} शाखा, सर्वात जवळची तुमच्या परिसरात' },
  'branch.count.far': {
    one: 'एक शाखा, साधारण {km} किमी दूर',
    other: '{count} शाखा, सर्वात जवळची साधारण {km} किमी दूर',
  },
  'branch.here': 'तुमच्या परिसरात',
  'branch.far': 'साधारण {km} किमी दूर',
  'branch.pin': 'पिन\u00a0{pin}',

  'end.NOT_OFFERED.GOLD_LOAN':
    'याचा अर्थ नेहमी असेच राहील असे नाही. कर्जदाते प्रत्येक वेळी नव्याने निर्णय घेतात; जास्त किंवा अधिक शुद्ध सोने असल्यास मदत होऊ शकते.',
  'end.REJECTED.GOLD_LOAN': 'कोणतेही कर्ज घेतलेले नाही, आणि तुमचे काहीही देणे नाही. शाखेत ठेवलेले सोने तुम्हाला तिथेच परत दिले जाते.',
}
