// The words a borrower agrees to, by purpose, version and language. A version is never edited: a change is a new version.

import type { Language } from '#contract/language.ts'
import { ownValue } from '#kit/runtime/record.ts'

export type Purpose = PagePurpose | 'bank_analysis'
/** What the hosted page itself asks for. */
export type PagePurpose = 'bureau' | 'data_sharing' | 'key_facts' | 'submission'

/** The version that pages show today. */
export const currentConsentVersion = '2026-11-22'

/** What is accepted may be a credit line: an offer, whichever it is. */
export const currentConsentTexts: Record<PagePurpose, Record<Language, string>> = {
  bureau: {
    en: 'I agree that the lenders asked for offers may fetch my credit report from a credit bureau to decide on this loan.',
    hi: 'मैं सहमत हूँ कि जिन ऋणदाताओं से ऑफ़र माँगे जाएँगे वे इस ऋण पर निर्णय के लिए क्रेडिट ब्यूरो से मेरी क्रेडिट रिपोर्ट ले सकते हैं।',
    ta: 'ஆஃபர் கேட்கப்படும் லோன் நிறுவனங்கள் இந்த லோன் பற்றி முடிவு செய்ய, கிரெடிட் பீரோவிடமிருந்து என் கிரெடிட் ரிப்போர்ட்டைப் பெறலாம் என்று சம்மதிக்கிறேன்.',
    te: 'ఆఫర్ల కోసం అడిగే లోన్ సంస్థలు ఈ లోన్‌పై నిర్ణయం తీసుకోవడానికి క్రెడిట్ బ్యూరో నుంచి నా క్రెడిట్ రిపోర్ట్ తీసుకోవచ్చని సమ్మతిస్తున్నాను.',
    mr: 'ज्या कर्जदात्यांकडे ऑफर मागितल्या जातील ते या कर्जावर निर्णय घेण्यासाठी क्रेडिट ब्युरोकडून माझा क्रेडिट रिपोर्ट घेऊ शकतात, याला माझी संमती आहे.',
    bn: 'যে ঋণদাতাদের কাছে অফার চাওয়া হবে, তারা এই লোনের সিদ্ধান্ত নিতে ক্রেডিট ব্যুরো থেকে আমার ক্রেডিট রিপোর্ট নিতে পারে, এতে আমার সম্মতি আছে।',
  },
  data_sharing: {
    en: 'I agree that the details above are sent to these lenders for this loan application only. I can withdraw this before I accept an offer.',
    hi: 'मैं सहमत हूँ कि ऊपर की जानकारी केवल इस ऋण आवेदन के लिए इन ऋणदाताओं को भेजी जाए। ऑफ़र स्वीकार करने से पहले मैं यह सहमति वापस ले सकता/सकती हूँ।',
    ta: 'மேலே உள்ள விவரங்களை இந்த லோன் விண்ணப்பத்துக்காக மட்டும் இந்த லோன் நிறுவனங்களுக்கு அனுப்பச் சம்மதிக்கிறேன். ஓர் ஆஃபரை ஏற்கும் முன் இந்தச் சம்மதத்தை நான் திரும்பப் பெறலாம்.',
    te: 'పై వివరాలను కేవలం ఈ లోన్ దరఖాస్తు కోసం ఈ లోన్ సంస్థలకు పంపడానికి సమ్మతిస్తున్నాను. ఏదైనా ఆఫర్‌ను అంగీకరించే ముందు ఈ సమ్మతిని నేను వెనక్కి తీసుకోవచ్చు.',
    mr: 'वरील माहिती फक्त या कर्जाच्या अर्जासाठी या कर्जदात्यांना पाठवण्यास माझी संमती आहे. ऑफर स्वीकारण्यापूर्वी मला ही संमती मागे घेता येईल.',
    bn: 'উপরের তথ্য শুধু এই লোনের আবেদনের জন্য এই ঋণদাতাদের পাঠাতে আমার সম্মতি আছে। অফার গ্রহণ করার আগে আমি এই সম্মতি ফিরিয়ে নিতে পারি।',
  },
  key_facts: {
    en: 'I have read the Key Facts Statement and accept this offer on these terms.',
    hi: 'मैंने मुख्य तथ्य विवरण (KFS) पढ़ लिया है और इन शर्तों पर यह ऑफ़र स्वीकार करता/करती हूँ।',
    ta: 'முக்கிய விவர அறிக்கையை (KFS) படித்துவிட்டேன்; இந்த நிபந்தனைகளில் இந்த ஆஃபரை ஏற்கிறேன்.',
    te: 'నేను కీలక వివరాల పత్రం (KFS) చదివాను, ఈ షరతులపై ఈ ఆఫర్‌ను అంగీకరిస్తున్నాను.',
    mr: 'मी मुख्य तथ्य पत्रक (KFS) वाचले आहे आणि या अटींवर ही ऑफर स्वीकारत आहे.',
    bn: 'আমি মূল তথ্য বিবরণী (KFS) পড়েছি এবং এই শর্তে এই অফার গ্রহণ করছি।',
  },
  submission: {
    en: 'By choosing this offer I agree that my application and my credit report are submitted to this lender, who reviews them and makes its final offer.',
    hi: 'यह ऑफ़र चुनकर मैं सहमत हूँ कि मेरा आवेदन और मेरी क्रेडिट रिपोर्ट इस ऋणदाता को भेजी जाए, जो उनकी समीक्षा करके अपना अंतिम ऑफ़र देगा।',
    ta: 'இந்த ஆஃபரைத் தேர்ந்தெடுப்பதன் மூலம், என் விண்ணப்பத்தையும் என் கிரெடிட் ரிப்போர்ட்டையும் இந்த லோன் நிறுவனத்துக்குச் சமர்ப்பிக்கச் சம்மதிக்கிறேன்; அது அவற்றைப் பரிசீலித்துத் தன் இறுதி ஆஃபரைத் தரும்.',
    te: 'ఈ ఆఫర్‌ను ఎంచుకోవడం ద్వారా, నా దరఖాస్తును, నా క్రెడిట్ రిపోర్ట్‌ను ఈ లోన్ సంస్థకు సమర్పించడానికి సమ్మతిస్తున్నాను; ఆ సంస్థ వాటిని సమీక్షించి తన తుది ఆఫర్ ఇస్తుంది.',
    mr: 'ही ऑफर निवडून, माझा अर्ज आणि माझा क्रेडिट रिपोर्ट या कर्जदात्याकडे सादर करण्यास मी संमती देत आहे. कर्जदाता ते तपासून आपली अंतिम ऑफर देईल.',
    bn: 'এই অফার বেছে নিয়ে, আমার আবেদন ও আমার ক্রেডিট রিপোর্ট এই ঋণদাতার কাছে জমা দিতে আমি সম্মতি দিচ্ছি। ঋণদাতা সেগুলি দেখে নিজের চূড়ান্ত অফার দেবে।',
  },
}

/** Shown on the page where a statement is shared, which our server makes. */
export const bankAnalysisTexts: Record<Language, string> = {
  en: 'By sharing a statement I agree that it is analysed, and that the statement and its analysis are sent to this lender for this loan application only. I can withdraw this until my application is submitted.',
  hi: 'विवरण साझा करके मैं सहमत हूँ कि उसका विश्लेषण किया जाए, और विवरण व उसका विश्लेषण केवल इस ऋण आवेदन के लिए इस ऋणदाता को भेजा जाए। आवेदन भेजे जाने तक मैं यह सहमति वापस ले सकता/सकती हूँ।',
  ta: 'ஸ்டேட்மென்ட்டைப் பகிர்வதன் மூலம், அது பகுப்பாய்வு செய்யப்படவும், ஸ்டேட்மென்ட்டும் அதன் பகுப்பாய்வும் இந்த லோன் விண்ணப்பத்துக்காக மட்டும் இந்த லோன் நிறுவனத்துக்கு அனுப்பப்படவும் சம்மதிக்கிறேன். என் விண்ணப்பம் சமர்ப்பிக்கப்படும் வரை இந்தச் சம்மதத்தை நான் திரும்பப் பெறலாம்.',
  te: 'స్టేట్‌మెంట్ పంచుకోవడం ద్వారా, దాన్ని విశ్లేషించడానికి, స్టేట్‌మెంట్‌ను, దాని విశ్లేషణను కేవలం ఈ లోన్ దరఖాస్తు కోసం ఈ లోన్ సంస్థకు పంపడానికి సమ్మతిస్తున్నాను. నా దరఖాస్తును సమర్పించే వరకు ఈ సమ్మతిని నేను వెనక్కి తీసుకోవచ్చు.',
  mr: 'स्टेटमेंट शेअर करून, त्याचे विश्लेषण करण्यास आणि ते स्टेटमेंट व त्याचे विश्लेषण फक्त या कर्जाच्या अर्जासाठी या कर्जदात्याला पाठवण्यास मी संमती देत आहे. माझा अर्ज सादर होईपर्यंत मला ही संमती मागे घेता येईल.',
  bn: 'স্টেটমেন্ট শেয়ার করে, সেটি বিশ্লেষণ করতে এবং স্টেটমেন্ট ও তার বিশ্লেষণ শুধু এই লোনের আবেদনের জন্য এই ঋণদাতাকে পাঠাতে আমি সম্মতি দিচ্ছি। আমার আবেদন জমা পড়া পর্যন্ত আমি এই সম্মতি ফিরিয়ে নিতে পারি।',
}

/** Of each version, in the languages that it had: consents that were given to it refer to it. */
const texts: Record<string, Partial<Record<Purpose, Partial<Record<Language, string>>>>> = {
  [currentConsentVersion]: { ...currentConsentTexts, bank_analysis: bankAnalysisTexts },
}

/** The text of a purpose; undefined when there was never such a version, or not in this language. */
export const consentText = (version: string, purpose: Purpose, language: Language): string | undefined =>
  ownValue(texts, version)?.[purpose]?.[language]
