// What the page says in Telugu where the lender is asked in writing: about a part payment, and to stop before the payout.
import type { Translated } from '../../text.ts'
import type { requests as english } from '../en/requests.ts'

export const requests: Translated<typeof english> = {
  'partkeep.title': 'కొంత భాగం ముందే చెల్లిస్తే: ఏం మారాలి?',
  'partkeep.what':
    'ముందే చెల్లించే భాగం, అది చేరిన రోజు నుంచి మీరు తీసుకున్న మొత్తాన్ని తగ్గిస్తుంది; దీనికి అదనపు ఖర్చు లేదు. గడువు దాటిన మొత్తాలు ముందుగా తీరుతాయి. మీ వాయిదాలు ఎలా మారాలో మీరే ఎంచుకుంటారు.',
  'field.partkeep': 'ఎన్ని రూపాయలు ముందే చెల్లిస్తారు?',
  'hint.partkeep': 'పూర్తి రూపాయల్లో, మిగిలిన బాకీ కన్నా తక్కువ.',
  'wrong.partkeep': 'మొత్తం పూర్తి రూపాయల్లో రాయండి',
  'partkeep.most': '{amount} కన్నా తక్కువ రాయండి; మిగిలిన బాకీ సుమారు అంతే',
  'partkeep.choose': 'ఏది అలాగే ఉండాలి?',
  'partkeep.INSTALLMENT': 'వాయిదా మొత్తం',
  'partkeep.INSTALLMENT.why': 'వాయిదాల సంఖ్య తగ్గుతుంది, వడ్డీ అన్నింటికన్నా తక్కువ పడుతుంది.',
  'partkeep.INSTALLMENT.figures': {
    one: '{before} వాయిదాల బదులు సుమారు ఒక వాయిదా, వడ్డీ {less} తక్కువ.',
    other: '{before} వాయిదాల బదులు {amount} చొప్పున సుమారు {count} వాయిదాలు, వడ్డీ {less} తక్కువ.',
  },
  'partkeep.TERM': 'లోన్ కాలం',
  'partkeep.TERM.why': 'వాయిదాల సంఖ్య మారదు, ప్రతి వాయిదా తగ్గుతుంది.',
  'partkeep.TERM.figures': {
    one: '{before} బదులు సుమారు {amount} ఒక వాయిదా, వడ్డీ {less} తక్కువ.',
    other: '{before} బదులు సుమారు {amount} చొప్పున {count} వాయిదాలు, వడ్డీ {less} తక్కువ.',
  },
  'partkeep.about': 'ఇవి అంచనాలు: డబ్బు చేరిన రోజును బట్టి {lender} లెక్కిస్తుంది.',
  'partkeep.counts': 'డబ్బు చేరిన రోజును బట్టి {lender} లెక్కిస్తుంది.',
  'partkeep.ask': '{lender}ను ఇది అడగండి',
  'partkeep.text.INSTALLMENT': 'నేను {amount} ముందే చెల్లిస్తాను. వాయిదాల సంఖ్య తగ్గేలా, నా వాయిదా మొత్తాన్ని అలాగే ఉంచండి.',
  'partkeep.text.TERM': 'నేను {amount} ముందే చెల్లిస్తాను. ప్రతి వాయిదా తగ్గేలా, లోన్ కాలాన్ని అలాగే ఉంచండి.',
  'cancel.open': 'ఈ లోన్ ఇక వద్దు',
  'cancel.title': 'ఈ దరఖాస్తును ఆపాలా?',
  'cancel.why':
    'డబ్బు పంపే వరకు {lender} దీన్ని ఆపగలదు; మీరు ఏమీ చెల్లించాల్సిన పని లేదు. మీ అభ్యర్థనను వెంటనే పంపుతాం: మీకు ఒక నంబర్ వస్తుంది, జవాబు ఇక్కడ కనిపిస్తుంది. అంతకు ముందే డబ్బు వచ్చినా, మనసు మార్చుకునే గడువులోపు లోన్ వదులుకోవచ్చు.',
  'cancel.yes': 'ఆపమని {lender}ను అడగండి',
  'cancel.no': 'లోన్ కొనసాగించండి',
  'cancel.text': 'నాకు ఈ లోన్ ఇక వద్దు. డబ్బు ఇవ్వకముందే నా దరఖాస్తును ఆపండి.',
}
