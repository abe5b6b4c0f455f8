// The words of a complaint: what may be sent to a lender, and what must not be.
import { isAadhaar } from '#contract/identifier.ts'
import { invalid } from '#kit/http/refusal.ts'

const least = 10
const most = 2000

/** The text without surrounding blanks. Refused as `invalid` at `text`. */
export function checkedText(input: string): string {
  const text = input.trim().replaceAll('\r\n', '\n')
  if (text.length < least || text.length > most)
    throw invalid({ path: 'text', message: `must have ${least} to ${most} characters` })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text))
    throw invalid({ path: 'text', message: 'must be plain text, without control characters' })
  if (holdsAadhaar(text)) throw invalid({ path: 'text', message: 'must not hold an Aadhaar number' })
  return text
}

/** As in a narration: the references of payments have twelve digits too, so those count in groups, or where it is spoken of. */
function holdsAadhaar(text: string): boolean {
  const form = /aadhaa?r|आधार/i.test(text)
    ? /(?<!\d)\d{4}[ -]?\d{4}[ -]?\d{4}(?!\d)/g
    : /(?<!\d)\d{4}([ -])\d{4}\1\d{4}(?!\d)/g
  return [...text.matchAll(form)].some(([digits]) => isAadhaar(digits))
}
