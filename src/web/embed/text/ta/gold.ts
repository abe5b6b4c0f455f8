// What the page says in Tamil of a loan on gold: the gold itself, the branches, the visit.
import type { Translated } from '../../text.ts'
import type { gold as english } from '../en/gold.ts'

export const gold: Translated<typeof english> = {
  'progress.visit': 'கிளை',

  'profile.gold': 'உங்கள் தங்கமும் வசிக்கும் இடமும்',
  'profile.gold.lead': 'எவ்வளவு தர முடியும், எந்தக் கிளைகள் உங்களுக்கு அருகில் உள்ளன என்பதை லோன் நிறுவனங்கள் இதை வைத்துச் சொல்கின்றன.',
  'field.jewelleryWeightGrams': 'தங்கத்தின் எடை, கிராமில்',
  'hint.jewelleryWeightGrams': 'எல்லா நகைகளும் சேர்த்து, கல் இல்லாமல். தோராயமாக இருந்தால் போதும்: கிளையில் எடை போடுவார்கள்.',
  'wrong.jewelleryWeightGrams': 'எடையை கிராமில், எண்களில் எழுதவும், எ.கா. 24.5',
  'field.purity': 'தங்கத்தின் தூய்மை',
  'hint.purity':
    'பெரும்பாலான நகைகள் 22K. ஹால்மார்க்கைப் பாருங்கள்: 22K916 என்றால் 22K, 18K750 என்றால் 18K. நகைகள் வெவ்வேறாக இருந்தால் மிகக் குறைந்ததைத் தேர்ந்தெடுங்கள்.',
  'field.purity.24K': '24K',
  'field.purity.22K': '22K',
  'field.purity.21K': '21K',
  'field.purity.18K': '18K',
  'field.purity.14K': '14K',
  'field.purity.9K': '9K',
  'wrong.purity': 'தங்கத்தின் தூய்மையைத் தேர்ந்தெடுக்கவும்',
  'field.userType': 'லோன் வாங்குவது யார்?',
  'field.userType.individual': 'நான், தனிநபராக',
  'field.userType.non-individual': 'நிறுவனம் அல்லது வேறு அமைப்பு',
  'wrong.userType': 'லோன் வாங்குவது யார் என்று தேர்ந்தெடுக்கவும்',
  'field.constitution': 'எந்த வகை நிறுவனம் அல்லது அமைப்பு?',
  'hint.constitution': 'எ.கா. பார்ட்னர்ஷிப், பிரைவேட் லிமிடெட் கம்பெனி, டிரஸ்ட்',
  'wrong.constitution': 'நிறுவனம் அல்லது அமைப்பின் வகையை எழுதவும்',

  'terms.ltv': 'தங்க மதிப்பில் லோன் (LTV)',
  'terms.ltv.why': 'உங்கள் தங்கத்தின் மதிப்பில் {rate}',
  'terms.ltv.most': 'உங்கள் தங்கத்தின் மதிப்பில் {rate} வரை',
  'branch.takes': 'தங்கத்தை எங்கே கொண்டு செல்வது',
  'branch.count': { one: 'ஒரு கிளை', other: '{count} கிளைகள்' },
  'branch.count.here': { one: 'உங்கள் பகுதியில் ஒரு கிளை', other: '{count} கிளைகள், மிக அருகில் உள்ளது உங்கள் பகுதியில்' },
  'branch.count.far': {
    one: 'ஒரு கிளை, சுமார் {km} கி.மீ. தூரத்தில்',
    other: '{count} கிளைகள், மிக அருகில் உள்ளது சுமார் {km} கி.மீ. தூரத்தில்',
  },
  'branch.here': 'உங்கள் பகுதியில்',
  'branch.far': 'சுமார் {km} கி.மீ. தூரத்தில்',
  'branch.pin': 'பின்கோடு\u00a0{pin}',

  'end.NOT_OFFERED.GOLD_LOAN':
    'எப்போதும் இப்படியே இருக்கும் என்பதில்லை. லோன் நிறுவனங்கள் ஒவ்வொரு முறையும் புதிதாக முடிவு செய்கின்றன; கூடுதல் தங்கமோ, தூய்மை கூடிய தங்கமோ உதவலாம்.',
  'end.REJECTED.GOLD_LOAN':
    'லோன் எதுவும் எடுக்கப்படவில்லை; நீங்கள் எதுவும் செலுத்த வேண்டியதில்லை. கிளையில் நீங்கள் விட்டுச் சென்ற தங்கம் அங்கேயே உங்களுக்குத் திருப்பித் தரப்படும்.',
}
