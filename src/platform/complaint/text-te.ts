// What borrowers are written about a complaint, and what officers begin their answers with, in Telugu.
import type { ComplaintTemplate } from '#contract/console/complaint-lists.ts'
import type { BorrowerText } from './text-en.ts'

export const borrowerTexts: Record<BorrowerText, string> = {
  subject: 'మీ ఫిర్యాదు {number}',
  greeting: 'ప్రియమైన {name},',
  greetingUnnamed: 'ప్రియమైన కస్టమర్,',
  acknowledged: `మీ ఫిర్యాదు మాకు అందింది. దాని నంబర్ {number}: దీన్ని భద్రంగా ఉంచుకోండి.

దీనికి {officer} బాధ్యులు. మొదటి జవాబు {firstAnswer} లోపు వస్తుంది; {resolution} లోపు మేం దీన్ని పరిష్కరించాలి.

ఇంకేమైనా చెప్పాలంటే, ఈ ఈమెయిల్‌కు జవాబు రాయండి.`,
  acknowledgedLender: `మీ ఫిర్యాదు మాకు అందింది. దాని నంబర్ {number}: దీన్ని భద్రంగా ఉంచుకోండి.

ఇది మీ లోన్ గురించి కాబట్టి దీన్ని {lender}కు పంపాం; మీకు జవాబు వచ్చేలా మేం చూస్తాం: మొదటి జవాబు {firstAnswer} లోపు, పరిష్కారం {resolution} లోపు. మా తరఫున {officer} బాధ్యులు.

ఇంకేమైనా చెప్పాలంటే, ఈ ఈమెయిల్‌కు జవాబు రాయండి.`,
  footer: `--
ఫిర్యాదు {number}. ఇంకేమైనా చెప్పాలంటే, ఈ ఈమెయిల్‌కు జవాబు రాయండి.
ఫిర్యాదుల అధికారి: {officer}, {phone}`,
  signature: `{signer}
Lendloom`,
  resolvedFooter: `దీంతో మీ సమస్య పరిష్కారం కాకపోతే, {reopen} లోపు ఈ ఈమెయిల్‌కు జవాబు రాయండి: ఫిర్యాదును మళ్లీ తెరుస్తాం; దాన్ని మా నోడల్ అధికారి {nodal} వద్దకు తీసుకెళ్లమని కూడా అడగవచ్చు.`,
  escalated: `మీ ఫిర్యాదు {number} మేం పెట్టుకున్న గడువులో పరిష్కారం కాలేదు. అందుకే అది ఇప్పుడు మా నోడల్ అధికారి {nodal} వద్ద ఉంది: {nodalPhone}, {nodalEmail}. ఆలస్యానికి క్షమించండి.`,
  escalatedByHand: `మీ ఫిర్యాదు {number}ను మా నోడల్ అధికారి {nodal} వద్దకు తీసుకెళ్లాం; దాన్ని వారు నిర్ణయిస్తారు: {nodalPhone}, {nodalEmail}.`,
  ombudsman: `ఇప్పుడు మీరు ఫిర్యాదు {number}ను రిజర్వ్ బ్యాంక్ అంబుడ్స్‌మన్ వద్దకు తీసుకెళ్లవచ్చు (రిజర్వ్ బ్యాంక్ – సమీకృత అంబుడ్స్‌మన్ పథకం, 2021): https://cms.rbi.org.in లో, ఫోన్ 14448లో, లేదా ఈ చిరునామాకు రాసి: Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017. దీనికి ఛార్జీ లేదు. ఫిర్యాదు లోన్ సంస్థ {lender} గురించి; మా నంబర్ {number} కూడా రాయండి.`,
  ombudsmanPlatform: `ఇప్పుడు మీరు ఫిర్యాదు {number}ను రిజర్వ్ బ్యాంక్ అంబుడ్స్‌మన్ వద్దకు తీసుకెళ్లవచ్చు (రిజర్వ్ బ్యాంక్ – సమీకృత అంబుడ్స్‌మన్ పథకం, 2021): https://cms.rbi.org.in లో, ఫోన్ 14448లో, లేదా ఈ చిరునామాకు రాసి: Centralised Receipt and Processing Centre, Reserve Bank of India, 4th Floor, Sector 17, Chandigarh 160017. దీనికి ఛార్జీ లేదు. మా నంబర్ {number} కూడా రాయండి.`,
  closed: `ఫిర్యాదు {number} ముగిసింది. సమస్య మళ్లీ వస్తే, {reopen} లోపు ఈ ఈమెయిల్‌కు జవాబు రాయండి.`,
  lenderAnswers: '{lender} జవాబు:',
  merged: `మీ ఫిర్యాదు {number}, ఫిర్యాదు {other} రెండూ ఒకే విషయం గురించి. రెండింటినీ {other}లో కొనసాగిస్తాం.`,
}

export const templates: Record<ComplaintTemplate, string> = {
  WORKING: `మీరు రాసినదాన్ని పరిశీలిస్తున్నాం. {resolution} లోపు జవాబు ఇస్తామని అనుకుంటున్నాం; ఎక్కువ సమయం పడితే ముందే చెబుతాం.`,
  ASK: `ముందుకు వెళ్లడానికి మీ నుంచి ఒక వివరం కావాలి: 

ఈ ఈమెయిల్‌కు జవాబు రాయండి, లేదా మీ లోన్ పేజీలో రాయండి.`,
  SENT_TO_LENDER: `మీ ఫిర్యాదుకు {lender} జవాబివ్వాలి. మీరు పంపినవన్నీ దానికి పంపాం; జవాబు వచ్చే వరకు కొన్ని రోజులకోసారి అడుగుతాం. {resolution} లోపు మా నుంచి సమాచారం వస్తుంది.`,
  UPHELD: `మీరు చెప్పింది నిజమే, క్షమించండి. 

దీనికి మేం చేసినది: `,
  NOT_UPHELD: `దీన్ని జాగ్రత్తగా చూశాం; ఇది అంగీకరించిన షరతుల ప్రకారమే ఉంది: 

మీరు దీన్ని ఒప్పుకోకపోతే, ఈ ఈమెయిల్‌కు జవాబు రాయండి.`,
  REFUND: `వాయిదాలు కట్ అయ్యే ఖాతాకు {lender} ₹ తిరిగి ఇస్తోంది. చేరడానికి ఏడు పని దినాల వరకు పట్టవచ్చు.`,
  PRIVACY: `మీ గురించి మేం ఉంచినవి, అవి ఎక్కడి నుంచి వచ్చాయి, ఎవరితో పంచుకున్నాం: 

చట్టం అనుమతించినంత వరకు తొలగించాం.`,
  BLANK: '',
}
