// What the page says in Tamil of the pieces of gold, of their value, and of the branch that is chosen.
import type { Translated } from '../../text.ts'
import type { jewellery as english } from '../en/jewellery.ts'

export const jewellery: Translated<typeof english> = {
  'pieces.open': 'ஒவ்வொரு நகையாகக் கூட்டவும்',
  'pieces.why': 'ஒவ்வொரு நகையாக, அல்லது ஒரே வகை நகைகளைச் சேர்த்து. கூட்டுத்தொகை கீழே நிரப்பப்படும்.',
  'pieces.line': 'நகை {at}',
  'pieces.kind': 'நகையின் வகை',
  'pieces.kind.chain': 'செயின்',
  'pieces.kind.bangle': 'வளையல்',
  'pieces.kind.ring': 'மோதிரம்',
  'pieces.kind.necklace': 'நெக்லஸ்',
  'pieces.kind.earrings': 'காதணி',
  'pieces.kind.coin': 'நாணயம்',
  'pieces.kind.other': 'வேறு நகை',
  'pieces.purity': 'தூய்மை',
  'pieces.count': 'எத்தனை',
  'pieces.weight': { one: 'எடை, கிராமில்', other: '{count}-ம் சேர்த்து எடை, கிராமில்' },
  'pieces.weight.each': 'ஒன்றின் எடை, கிராமில்',
  'pieces.each': 'இவற்றில் ஒன்றை எடை போட்டேன்',
  'pieces.add': 'இன்னொரு நகையைச் சேர்க்கவும்',
  'pieces.remove': 'நீக்கவும்',
  'pieces.remove.line': 'நகை {at} நீக்கவும்',
  'pieces.sum': 'எல்லா நகைகளும் சேர்த்து',
  'pieces.grams': '{grams} கிராம்',
  'pieces.all': { one: 'ஒரு நகை, {purity}', other: '{count} நகைகள், மிகக் குறைந்த தூய்மை {purity}' },
  'pieces.incomplete': 'ஒவ்வொரு நகையின் எடையையும் தூய்மையையும் எழுதவும்.',
  'pieces.coins': 'ஒருவரிடம் அதிகபட்சம் 50 கிராம் தங்க நாணயங்களையே லோன் நிறுவனம் வாங்கலாம்.',

  'gold.value': 'உங்கள் தங்கத்தின் மதிப்பு சுமார்',
  'gold.gram': 'நீங்கள் சொன்ன {grams} கிராமுக்கு, கிராமுக்கு {rate}',
  'gold.source': '{lender} தந்த ஆஃபரிலிருந்து கணக்கிட்டது: லோன் தொகையை, மதிப்பில் அது தரும் பங்கால் வகுத்து',
  'gold.tested': 'கிளையில் தங்கத்தை எடை போட்டுச் சோதிப்பார்கள்; அந்த மதிப்பே கணக்கு.',

  'branch.road': 'சாலை வழியாகச் சுமார் {time}',
  'branch.road.day': 'சாலை வழியாக ஒரு நாளுக்கு மேல்',
  'branch.distant':
    'மிக அருகில் உள்ள கிளையும் தூரம்தான்: சுமார் {km} கி.மீ., {road}. வேறு லோன் நிறுவனத்தின் கிளை உங்களுக்கு அருகில் இருக்கலாம்.',
  'branch.book': 'இறுதி ஆஃபரை ஏற்ற பிறகு, வரும் நாளை லோன் நிறுவனத்தின் பக்கத்தில் பதிவு செய்வீர்கள். சாலை நேரம் தோராயமானது.',
  'branch.all': 'எல்லா {count} கிளைகளையும் காட்டவும்',
  'field.branchID': 'தங்கத்தை எந்தக் கிளைக்குக் கொண்டு செல்வீர்கள்?',
  'hint.branchID': 'மிக அருகில் உள்ளது முதலில். தூரம் தோராயமானது: உங்கள் பின்கோட்டை வைத்துக் கணக்கிட்டது.',
  'wrong.branchID': 'ஒரு கிளையைத் தேர்ந்தெடுக்கவும்',

  'visit.branch': 'கிளை',
  'visit.agent': 'சந்திக்க வேண்டியவர்',
  'visit.phone': 'ஃபோன்',
  'visit.call': '{phone}-க்கு அழைக்கவும்',
  'gold.kept': 'உங்கள் தங்கம்',
  'gold.kept.where': 'லோனைக் கட்டி முடிக்கும் வரை {lender} உங்கள் தங்கத்தைக் கிளையில் வைத்திருக்கும்.',
  'gold.kept.back':
    'கட்டி முடித்ததும் கிளை அதைத் திருப்பித் தரும், அதிகபட்சம் ஏழு வேலை நாட்களுக்குள். தங்கத்துக்குத் தந்த ரசீதைக் கொண்டு செல்லுங்கள்.',
}
