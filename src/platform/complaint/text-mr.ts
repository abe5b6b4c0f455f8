// What borrowers are written about a complaint, and what officers begin their answers with, in Marathi.
import type { ComplaintTemplate } from '#contract/console/complaint-lists.ts'
import type { BorrowerText } from './text-en.ts'

export const borrowerTexts: Record<BorrowerText, string> = {
  subject: 'तुमची तक्रार {number}',
  greeting: 'प्रिय {name},',
  greetingUnnamed: 'प्रिय ग्राहक,',
  acknowledged: `तुमची तक्रार आम्हाला मिळाली आहे. तिचा क्रमांक {number} आहे: तो जपून ठेवा.

यासाठी {officer} जबाबदार आहेत. पहिले उत्तर {firstAnswer} पर्यंत मिळेल, आणि आम्हाला {resolution} पर्यंत ही तक्रार सोडवायची आहे.

आणखी काही सांगायचे असल्यास या ई-मेलला उत्तर द्या.`,
  acknowledgedLender: `तुमची तक्रार आम्हाला मिळाली आहे. तिचा क्रमांक {number} आहे: तो जपून ठेवा.

ती तुमच्या कर्जाबद्दल आहे, म्हणून आम्ही ती {lender} कडे पाठवली आहे, आणि तुम्हाला उत्तर मिळेल याकडे आम्ही लक्ष देतो: पहिले उत्तर {firstAnswer} पर्यंत, निवारण {resolution} पर्यंत. आमच्या बाजूने {officer} जबाबदार आहेत.

आणखी काही सांगायचे असल्यास या ई-मेलला उत्तर द्या.`,
  footer: `--
तक्रार {number}. आणखी काही सांगायचे असल्यास या ई-मेलला उत्तर द्या.
तक्रार निवारण अधिकारी: {officer}, {phone}`,
  signature: `{signer}
Lendloom`,
  resolvedFooter: `याने तुमचे समाधान झाले नसल्यास, {reopen} पर्यंत या ई-मेलला उत्तर द्या: तक्रार पुन्हा उघडली जाईल, आणि ती आमचे नोडल अधिकारी {nodal} यांच्याकडे नेण्यास तुम्ही सांगू शकता.`,
  escalated: `तुमची तक्रार {number} आम्ही ठरवलेल्या वेळेत सुटली नाही, म्हणून ती आता आमचे नोडल अधिकारी {nodal} यांच्याकडे आहे: {nodalPhone}, {nodalEmail}. उशिराबद्दल क्षमस्व.`,
  escalatedByHand: `तुमची तक्रार {number} आमचे नोडल अधिकारी {nodal} यांच्याकडे नेली आहे, ते तिचा निर्णय घेतील: {nodalPhone}, {nodalEmail}.`,
  ombudsman: `आता तुम्ही तक्रार {number} रिझर्व्ह बँकेच्या लोकपालाकडे नेऊ शकता (रिझर्व्ह बँक – एकात्मिक लोकपाल योजना, 2021): https://cms.rbi.org.in वर, फोन 14448 वर, किंवा या पत्त्यावर लिहून: Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017. यासाठी कोणतेही शुल्क नाही. तक्रार कर्जदाता {lender} बद्दल आहे; कृपया आमचा क्रमांक {number} सुद्धा लिहा.`,
  ombudsmanPlatform: `आता तुम्ही तक्रार {number} रिझर्व्ह बँकेच्या लोकपालाकडे नेऊ शकता (रिझर्व्ह बँक – एकात्मिक लोकपाल योजना, 2021): https://cms.rbi.org.in वर, फोन 14448 वर, किंवा या पत्त्यावर लिहून: Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017. यासाठी कोणतेही शुल्क नाही. कृपया आमचा क्रमांक {number} सुद्धा लिहा.`,
  closed: `तक्रार {number} बंद केली आहे. तीच अडचण पुन्हा आल्यास {reopen} पर्यंत या ई-मेलला उत्तर द्या.`,
  lenderAnswers: '{lender} चे उत्तर:',
  merged: `तुमची तक्रार {number} आणि तक्रार {other} एकाच गोष्टीबद्दल आहेत. आम्ही दोन्ही {other} मध्ये पुढे नेतो.`,
}

export const templates: Record<ComplaintTemplate, string> = {
  WORKING: `तुम्ही लिहिलेले आम्ही तपासत आहोत. {resolution} पर्यंत उत्तर देता येईल असे वाटते; जास्त वेळ लागल्यास आधी कळवू.`,
  ASK: `पुढे जाण्यासाठी आम्हाला तुमच्याकडून एक माहिती हवी आहे: 

कृपया या ई-मेलला उत्तर द्या, किंवा तुमच्या कर्जाच्या पेजवर लिहा.`,
  SENT_TO_LENDER: `तुमच्या तक्रारीचे उत्तर {lender} ने द्यायचे आहे. तुम्ही पाठवलेले सर्व आम्ही त्यांना पाठवले आहे, आणि उत्तर मिळेपर्यंत दर काही दिवसांनी विचारतो. {resolution} पर्यंत आम्ही तुम्हाला कळवू.`,
  UPHELD: `तुमचे म्हणणे बरोबर आहे, आणि आम्हाला खेद आहे. 

यासाठी आम्ही हे केले: `,
  NOT_UPHELD: `आम्ही हे काळजीपूर्वक पाहिले आहे, आणि ते ठरलेल्या अटींनुसार आहे: 

हे तुम्हाला मान्य नसल्यास या ई-मेलला उत्तर द्या.`,
  REFUND: `ज्या खात्यातून हप्ते घेतले जातात त्या खात्यात {lender} ₹ परत करत आहे. पोहोचायला कामकाजाचे सात दिवस लागू शकतात.`,
  PRIVACY: `तुमच्याबद्दल आम्ही ठेवलेली माहिती, ती कुठून आली, आणि कोणाला दिली: 

कायदा परवानगी देतो तितकी माहिती आम्ही काढून टाकली आहे.`,
  BLANK: '',
}
