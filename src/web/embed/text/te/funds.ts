// What the page says in Telugu of the mutual-fund units that secure a loan.
import type { Translated } from '../../text.ts'
import type { funds as english } from '../en/funds.ts'

export const funds: Translated<typeof english> = {
  'funds.line': 'క్రెడిట్ లైన్',
  'funds.term': 'టర్మ్ లోన్',
  'funds.secured': { one: 'ఒక ఫండ్ యూనిట్లు హామీగా', other: '{count} ఫండ్ల యూనిట్లు హామీగా' },
  'funds.page': 'మిగతాది లోన్ సంస్థ సొంత పేజీలో పూర్తి చేస్తారు.',
  'funds.needed': 'ఈ మొత్తానికి తాకట్టు పెట్టాల్సిన యూనిట్లు',
  'funds.pledged': 'మీరు తాకట్టు పెట్టే యూనిట్లు',
  'funds.own': 'ఫండ్లను మీరే ఎంచుకోండి',
  'funds.share': 'బదులుగా ప్రతి ఫండ్‌లో కొంత భాగం తాకట్టు పెట్టండి',
  'funds.pick': 'ప్రతి ఫండ్‌లో తాకట్టు పెట్టే యూనిట్లు',
  'funds.most': '{most} వరకు',
  'funds.carried': 'ఈ యూనిట్లపై తీసుకోగల లోన్',
  'funds.carried.why': 'చివరిగా తెలిసిన ధరల ప్రకారం. కచ్చితమైన మొత్తాన్ని లోన్ సంస్థ తర్వాత చెబుతుంది.',
  'funds.wrong': 'యూనిట్ల సంఖ్య రాయండి, 0 నుంచి {most} వరకు',
  'funds.fund': 'ఫండ్',
  'funds.units': 'యూనిట్లు',
  'funds.folio': 'ఫోలియో\u00a0{folio}',
  'funds.ltv': 'వాటి విలువలో {rate} లోన్‌గా ఇస్తారు',
  'funds.yours': 'యూనిట్లు మీవిగానే ఉంటాయి. తాకట్టులో ఉన్నంత కాలం వాటిని అమ్మలేరు.',
}
