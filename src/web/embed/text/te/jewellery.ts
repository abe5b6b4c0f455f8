// What the page says in Telugu of the pieces of gold, of their value, and of the branch that is chosen.
import type { Translated } from '../../text.ts'
import type { jewellery as english } from '../en/jewellery.ts'

export const jewellery: Translated<typeof english> = {
  'pieces.open': 'ఒక్కో నగను కలిపి లెక్కించండి',
  'pieces.why': 'ఒక్కో నగ, లేదా ఒకే రకం నగలు కలిపి. మొత్తం కింద నింపబడుతుంది.',
  'pieces.line': 'నగ {at}',
  'pieces.kind': 'నగ రకం',
  'pieces.kind.chain': 'చైన్',
  'pieces.kind.bangle': 'గాజు',
  'pieces.kind.ring': 'ఉంగరం',
  'pieces.kind.necklace': 'నెక్లెస్',
  'pieces.kind.earrings': 'చెవి కమ్మలు',
  'pieces.kind.coin': 'నాణెం',
  'pieces.kind.other': 'ఇతర నగ',
  'pieces.purity': 'స్వచ్ఛత',
  'pieces.count': 'ఎన్ని',
  'pieces.weight': { one: 'బరువు, గ్రాముల్లో', other: 'మొత్తం {count} కలిపి బరువు, గ్రాముల్లో' },
  'pieces.weight.each': 'ఒక్కోదాని బరువు, గ్రాముల్లో',
  'pieces.each': 'వీటిలో ఒకదాన్ని తూచాను',
  'pieces.add': 'మరో నగ చేర్చండి',
  'pieces.remove': 'తీసేయండి',
  'pieces.remove.line': 'నగ {at} తీసేయండి',
  'pieces.sum': 'అన్ని నగలూ కలిపి',
  'pieces.grams': '{grams} గ్రాములు',
  'pieces.all': { one: 'ఒక నగ, {purity}', other: '{count} నగలు, అన్నింటికన్నా తక్కువ స్వచ్ఛత {purity}' },
  'pieces.incomplete': 'ప్రతి నగ బరువు, స్వచ్ఛత రాయండి.',
  'pieces.coins': 'లోన్ సంస్థ ఒకరి నుంచి గరిష్ఠంగా 50 గ్రాముల బంగారు నాణేలే తీసుకోవచ్చు.',

  'gold.value': 'మీ బంగారం విలువ సుమారు',
  'gold.gram': 'మీరు చెప్పిన {grams} గ్రాములకు, గ్రాముకు {rate}',
  'gold.source': '{lender} ఆఫర్ నుంచి లెక్కించాం: లోన్ మొత్తాన్ని, విలువలో అది ఇచ్చే భాగంతో భాగించి',
  'gold.tested': 'బ్రాంచ్‌లో బంగారాన్ని తూచి పరీక్షిస్తారు; ఆ విలువే లెక్క.',

  'branch.road': 'రోడ్డు మీద సుమారు {time}',
  'branch.road.day': 'రోడ్డు మీద ఒక రోజుకు పైగా',
  'branch.distant': 'దగ్గరి బ్రాంచ్ కూడా దూరమే: సుమారు {km} కి.మీ., {road}. మరో లోన్ సంస్థ బ్రాంచ్ మీకు దగ్గరగా ఉండవచ్చు.',
  'branch.book': 'తుది ఆఫర్‌ను అంగీకరించాక, వెళ్లే రోజును లోన్ సంస్థ పేజీలో బుక్ చేస్తారు. రోడ్డు సమయం సుమారుగా చెప్పినది.',
  'branch.all': 'మొత్తం {count} బ్రాంచ్‌లు చూపండి',
  'field.branchID': 'బంగారాన్ని ఏ బ్రాంచ్‌కు తీసుకెళ్తారు?',
  'hint.branchID': 'దగ్గరిది ముందు. దూరాలు సుమారుగా చెప్పినవి: మీ పిన్ కోడ్‌ను బట్టి లెక్కించాం.',
  'wrong.branchID': 'ఒక బ్రాంచ్‌ను ఎంచుకోండి',
}
