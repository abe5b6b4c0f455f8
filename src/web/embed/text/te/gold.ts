// What the page says in Telugu of a loan on gold: the gold itself, the branches, the visit.
import type { Translated } from '../../text.ts'
import type { gold as english } from '../en/gold.ts'

export const gold: Translated<typeof english> = {
  'progress.visit': 'బ్రాంచ్',

  'profile.gold': 'మీ బంగారం, మీరు ఉండే చోటు',
  'profile.gold.lead': 'ఎంత ఇవ్వగలవో, ఏ బ్రాంచ్‌లు మీకు దగ్గరో లోన్ సంస్థలు దీన్ని బట్టి చెబుతాయి.',
  'field.jewelleryWeightGrams': 'బంగారం బరువు, గ్రాముల్లో',
  'hint.jewelleryWeightGrams': 'అన్ని నగలూ కలిపి, రాళ్లు లేకుండా. సుమారుగా చెబితే చాలు: బ్రాంచ్‌లో తూకం వేస్తారు.',
  'wrong.jewelleryWeightGrams': 'బరువును గ్రాముల్లో, అంకెల్లో రాయండి, ఉదా. 24.5',
  'field.purity': 'బంగారం స్వచ్ఛత',
  'hint.purity':
    'ఎక్కువ నగలు 22K. హాల్‌మార్క్ చూడండి: 22K916 అంటే 22K, 18K750 అంటే 18K. నగలు వేర్వేరుగా ఉంటే అన్నింటికన్నా తక్కువది ఎంచుకోండి.',
  'field.purity.24K': '24K',
  'field.purity.22K': '22K',
  'field.purity.21K': '21K',
  'field.purity.18K': '18K',
  'field.purity.14K': '14K',
  'field.purity.9K': '9K',
  'wrong.purity': 'బంగారం స్వచ్ఛత ఎంచుకోండి',
  'field.userType': 'లోన్ ఎవరు తీసుకుంటున్నారు?',
  'field.userType.individual': 'నేనే, వ్యక్తిగా',
  'field.userType.non-individual': 'సంస్థ లేదా ఇతర వ్యవస్థ',
  'wrong.userType': 'లోన్ ఎవరు తీసుకుంటున్నారో ఎంచుకోండి',
  'field.constitution': 'ఎలాంటి సంస్థ లేదా వ్యవస్థ?',
  'hint.constitution': 'ఉదా. భాగస్వామ్యం, ప్రైవేట్ లిమిటెడ్ కంపెనీ, ట్రస్ట్',
  'wrong.constitution': 'ఎలాంటి సంస్థ లేదా వ్యవస్థో రాయండి',

  'terms.ltv': 'బంగారం విలువపై లోన్ (LTV)',
  'terms.ltv.why': 'మీ బంగారం విలువలో {rate}',
  'terms.ltv.most': 'మీ బంగారం విలువలో {rate} వరకు',
  'branch.takes': 'బంగారం ఎక్కడికి తీసుకెళ్లాలి',
  'branch.count': { one: 'ఒక బ్రాంచ్', other: '{count} బ్రాంచ్‌లు' },
  'branch.count.here': { one: 'మీ ప్రాంతంలో ఒక బ్రాంచ్', other: '{count} బ్రాంచ్‌లు, దగ్గరిది మీ ప్రాంతంలో' },
  'branch.count.far': {
    one: 'ఒక బ్రాంచ్, సుమారు {km} కి.మీ. దూరంలో',
    other: '{count} బ్రాంచ్‌లు, దగ్గరిది సుమారు {km} కి.మీ. దూరంలో',
  },
  'branch.here': 'మీ ప్రాంతంలో',
  'branch.far': 'సుమారు {km} కి.మీ. దూరంలో',
  'branch.pin': 'పిన్\u00a0{pin}',

  'end.NOT_OFFERED.GOLD_LOAN':
    'ఎప్పుడూ ఇలాగే ఉంటుందని కాదు. లోన్ సంస్థలు ప్రతిసారీ కొత్తగా నిర్ణయిస్తాయి; ఎక్కువ బంగారం లేదా మరింత స్వచ్ఛమైన బంగారం సాయపడవచ్చు.',
  'end.REJECTED.GOLD_LOAN': 'ఏ లోన్ తీసుకోలేదు; మీరు ఏమీ చెల్లించాల్సిన పని లేదు. బ్రాంచ్‌లో మీరు ఇచ్చిన బంగారం అక్కడే మీకు తిరిగి ఇస్తారు.',
}
