// What the page says in Hindi of a loan on gold: the gold itself, the branches, the visit.
import type { Translated } from '../../text.ts'
import type { gold as english } from '../en/gold.ts'

export const gold: Translated<typeof english> = {
  'progress.visit': 'शाखा',

  'profile.gold': 'आपका सोना और आपका इलाका',
  'profile.gold.lead': 'इससे ऋणदाता बताते हैं कि वे कितना दे सकते हैं और कौन-सी शाखाएँ आपके पास हैं।',
  'field.jewelleryWeightGrams': 'सोने का वज़न, ग्राम में',
  'hint.jewelleryWeightGrams': 'सब गहने मिलाकर, नग के बिना। अंदाज़ा काफ़ी है: शाखा में तौला जाएगा।',
  'wrong.jewelleryWeightGrams': 'वज़न ग्राम में, अंकों में लिखें, जैसे 24.5',
  'field.purity': 'सोने की शुद्धता',
  'hint.purity': 'ज़्यादातर गहने 22K के होते हैं। हॉलमार्क देखें: 22K916 यानी 22K, 18K750 यानी 18K। गहने अलग-अलग हों तो सबसे कम चुनें।',
  'field.purity.24K': '24K',
  'field.purity.22K': '22K',
  'field.purity.21K': '21K',
  'field.purity.18K': '18K',
  'field.purity.14K': '14K',
  'field.purity.9K': '9K',
  'wrong.purity': 'सोने की शुद्धता चुनें',
  'field.userType': 'लोन कौन ले रहा है?',
  'field.userType.individual': 'मैं, अपने नाम से',
  'field.userType.non-individual': 'फ़र्म या कोई संस्था',
  'wrong.userType': 'चुनें कि लोन कौन ले रहा है',
  'field.constitution': 'फ़र्म या संस्था किस प्रकार की है?',
  'hint.constitution': 'जैसे साझेदारी, प्राइवेट लिमिटेड कंपनी, ट्रस्ट',
  'wrong.constitution': 'फ़र्म या संस्था का प्रकार लिखें',

  'terms.ltv': 'सोने के मूल्य पर लोन (LTV)',
  'terms.ltv.why': 'आपके सोने के मूल्य का {rate}',
  'terms.ltv.most': 'आपके सोने के मूल्य का {rate} तक',
  'branch.takes': 'सोना कहाँ ले जाना है',
  'branch.count': { one: 'एक शाखा', other: '{count} शाखाएँ' },
  'branch.count.here': { one: 'एक शाखा, आपके इलाके में', other: '{count} शाखाएँ, सबसे पास वाली आपके इलाके में' },
  'branch.count.far': {
    one: 'एक शाखा, लगभग {km} किमी दूर',
    other: '{count} शाखाएँ, सबसे पास वाली लगभग {km} किमी दूर',
  },
  'branch.here': 'आपके इलाके में',
  'branch.far': 'लगभग {km} किमी दूर',
  'branch.pin': 'पिन\u00a0{pin}',

  'end.NOT_OFFERED.GOLD_LOAN':
    'इसका मतलब यह नहीं कि हमेशा ऐसा रहेगा। ऋणदाता हर बार नए सिरे से निर्णय लेते हैं; ज़्यादा या अधिक शुद्ध सोना मदद कर सकता है।',
  'end.REJECTED.GOLD_LOAN': 'कोई लोन नहीं लिया गया, और आप पर कुछ बकाया नहीं है। शाखा में छोड़ा हुआ सोना आपको वहीं वापस मिलेगा।',
}
