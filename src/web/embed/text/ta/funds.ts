// What the page says in Tamil of the mutual-fund units that secure a loan.
import type { Translated } from '../../text.ts'
import type { funds as english } from '../en/funds.ts'

export const funds: Translated<typeof english> = {
  'funds.line': 'கிரெடிட் லைன்',
  'funds.term': 'டேர்ம் லோன்',
  'funds.secured': { one: 'ஒரு ஃபண்டின் யூனிட்கள் ஈடாக', other: '{count} ஃபண்டுகளின் யூனிட்கள் ஈடாக' },
  'funds.page': 'மீதியை லோன் நிறுவனத்தின் சொந்தப் பக்கத்தில் முடிப்பீர்கள்.',
  'funds.needed': 'இந்தத் தொகைக்கு அடமானம் வைக்க வேண்டிய யூனிட்கள்',
  'funds.pledged': 'நீங்கள் அடமானம் வைக்கும் யூனிட்கள்',
  'funds.own': 'ஃபண்டுகளை நீங்களே தேர்ந்தெடுக்கவும்',
  'funds.share': 'பதிலாக ஒவ்வொரு ஃபண்டிலும் ஒரு பங்கை அடமானம் வைக்கவும்',
  'funds.pick': 'ஒவ்வொரு ஃபண்டிலும் அடமானம் வைக்கும் யூனிட்கள்',
  'funds.most': '{most} வரை',
  'funds.carried': 'இந்த யூனிட்களுக்கு வாங்கக்கூடிய லோன்',
  'funds.carried.why': 'கடைசியாகத் தெரிந்த விலையில். சரியான தொகையை லோன் நிறுவனம் அடுத்துச் சொல்லும்.',
  'funds.wrong': 'யூனிட்களின் எண்ணிக்கையை எழுதவும், 0 முதல் {most} வரை',
  'funds.fund': 'ஃபண்டு',
  'funds.units': 'யூனிட்கள்',
  'funds.folio': 'ஃபோலியோ\u00a0{folio}',
  'funds.ltv': 'மதிப்பில் {rate} லோனாகத் தரப்படும்',
  'funds.yours': 'யூனிட்கள் உங்களுடையதாகவே இருக்கும். அடமானத்தில் உள்ளவரை அவற்றை விற்க முடியாது.',
}
