// Versions of the words a borrower agreed to that are shown no more. Consents that were given to them stay: nothing here is edited.

const first = {
  bureau: {
    en: 'I agree that the lenders asked for offers may fetch my credit report from a credit bureau to decide on this loan.',
    hi: 'मैं सहमत हूँ कि जिन ऋणदाताओं से ऑफ़र माँगे जाएँगे वे इस ऋण पर निर्णय के लिए क्रेडिट ब्यूरो से मेरी क्रेडिट रिपोर्ट ले सकते हैं।',
  },
  data_sharing: {
    en: 'I agree that the details above are sent to these lenders for this loan application only. I can withdraw this before I accept an offer.',
    hi: 'मैं सहमत हूँ कि ऊपर की जानकारी केवल इस ऋण आवेदन के लिए इन ऋणदाताओं को भेजी जाए। ऑफ़र स्वीकार करने से पहले मैं यह सहमति वापस ले सकता/सकती हूँ।',
  },
  key_facts: {
    en: 'I have read the Key Facts Statement and accept this loan on these terms.',
    hi: 'मैंने मुख्य तथ्य विवरण (KFS) पढ़ लिया है और इन शर्तों पर यह ऋण स्वीकार करता/करती हूँ।',
  },
  submission: {
    en: 'By choosing this offer I agree that my application and my credit report are submitted to this lender, who reviews them and makes its final offer.',
    hi: 'यह ऑफ़र चुनकर मैं सहमत हूँ कि मेरा आवेदन और मेरी क्रेडिट रिपोर्ट इस ऋणदाता को भेजी जाए, जो उनकी समीक्षा करके अपना अंतिम ऑफ़र देगा।',
  },
}

export const earlierConsentTexts = {
  '2026-11-01': first,
  '2026-11-21': {
    ...first,
    key_facts: {
      en: 'I have read the Key Facts Statement and accept this offer on these terms.',
      hi: 'मैंने मुख्य तथ्य विवरण (KFS) पढ़ लिया है और इन शर्तों पर यह ऑफ़र स्वीकार करता/करती हूँ।',
    },
    bank_analysis: {
      en: 'By sharing a statement I agree that it is analysed, and that the statement and its analysis are sent to this lender for this loan application only. I can withdraw this until my application is submitted.',
      hi: 'विवरण साझा करके मैं सहमत हूँ कि उसका विश्लेषण किया जाए, और विवरण व उसका विश्लेषण केवल इस ऋण आवेदन के लिए इस ऋणदाता को भेजा जाए। आवेदन भेजे जाने तक मैं यह सहमति वापस ले सकता/सकती हूँ।',
    },
  },
}
