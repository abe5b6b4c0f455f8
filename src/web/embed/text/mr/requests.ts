// What the page says in Marathi where the lender is asked in writing: about a part payment, and to stop before the payout.
import type { Translated } from '../../text.ts'
import type { requests as english } from '../en/requests.ts'

export const requests: Translated<typeof english> = {
  'partkeep.title': 'काही रक्कम लवकर भरणे: त्याने काय बदलावे?',
  'partkeep.what':
    'लवकर भरलेली रक्कम ज्या दिवशी पोहोचते त्या दिवसापासून तुमचे कर्ज कमी करते, आणि त्यासाठी जास्त काही लागत नाही. थकीत रक्कम आधी भरली जाते. हप्त्यांचे काय व्हावे हे तुम्ही निवडता.',
  'field.partkeep': 'तुम्ही किती रुपये लवकर भरणार?',
  'hint.partkeep': 'पूर्ण रुपये, बाकी रकमेपेक्षा कमी.',
  'wrong.partkeep': 'पूर्ण रुपयांत रक्कम लिहा',
  'partkeep.most': '{amount} पेक्षा कमी लिहा; साधारण इतकीच रक्कम बाकी आहे',
  'partkeep.choose': 'काय तसेच राहावे?',
  'partkeep.INSTALLMENT': 'हप्त्याची रक्कम',
  'partkeep.INSTALLMENT.why': 'हप्ते कमी होतात, आणि सर्वात कमी व्याज लागते.',
  'partkeep.INSTALLMENT.figures': {
    one: '{before} ऐवजी साधारण एक हप्ता, आणि {less} कमी व्याज.',
    other: '{before} ऐवजी {amount} चे साधारण {count} हप्ते, आणि {less} कमी व्याज.',
  },
  'partkeep.TERM': 'मुदत',
  'partkeep.TERM.why': 'हप्ते तितकेच राहतात, आणि प्रत्येक हप्ता लहान होतो.',
  'partkeep.TERM.figures': {
    one: '{before} ऐवजी साधारण {amount} चा एक हप्ता, आणि {less} कमी व्याज.',
    other: '{before} ऐवजी साधारण {amount} चे {count} हप्ते, आणि {less} कमी व्याज.',
  },
  'partkeep.about': 'हे अंदाज आहेत: पैसे ज्या दिवशी येतात त्या दिवसानुसार {lender} हिशोब करते.',
  'partkeep.counts': 'पैसे ज्या दिवशी येतात त्या दिवसानुसार {lender} हिशोब करते.',
  'partkeep.ask': '{lender} कडे हे मागा',
  'partkeep.text.INSTALLMENT': 'मी {amount} लवकर भरणार आहे. कृपया माझ्या हप्त्याची रक्कम आहे तशीच ठेवा, म्हणजे हप्ते कमी होतील.',
  'partkeep.text.TERM': 'मी {amount} लवकर भरणार आहे. कृपया मुदत आहे तशीच ठेवा, म्हणजे प्रत्येक हप्ता लहान होईल.',
  'cancel.open': 'मला हे कर्ज आता नको',
  'cancel.title': 'हा अर्ज थांबवायचा?',
  'cancel.why':
    'पैसे पाठवले जाईपर्यंत {lender} अर्ज थांबवू शकते, आणि तुमचे काहीही देणे राहत नाही. आम्ही तुमची विनंती लगेच पुढे पाठवतो: तुम्हाला एक क्रमांक मिळतो, आणि उत्तर इथे दिसते. त्याआधी पैसे मिळाले, तरीही तुम्ही विचार बदलण्याच्या मुदतीत कर्ज सोडू शकता.',
  'cancel.yes': '{lender} ला थांबवायला सांगा',
  'cancel.no': 'कर्ज सुरू ठेवा',
  'cancel.text': 'मला हे कर्ज आता नको आहे. कृपया पैसे देण्यापूर्वी माझा अर्ज थांबवा.',
}
