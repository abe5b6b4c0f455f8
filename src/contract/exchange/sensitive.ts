// What must never cross: full Aadhaar numbers and bank-login credentials, wherever they stand (D3 §2.1).
import { isAadhaar } from '#contract/identifier.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { inside } from './fields.ts'

/** A sender learns of so many, by paths of so many characters: what they sent may be long. */
const mostFaults = 100
const longestPath = 200

/** The texts and keys that are refused in a value, each by its path; nothing of what they say is repeated. */
export function sensitiveFaults(value: unknown, path = ''): FieldError[] {
  const found: FieldError[] = []
  visit(value, path, '', false)
  return found.slice(0, mostFaults).map((fault) => ({ ...fault, path: fault.path.slice(0, longestPath) }))

  function visit(value: unknown, path: string, key: string, native: boolean): void {
    if (typeof value === 'string' || typeof value === 'number') {
      if (tellsAadhaar(String(value), key, native)) found.push({ path, message: noAadhaar })
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, inside(path, i), key, native)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (isAadhaar(name)) found.push({ path, message: 'must not have an Aadhaar number as a key' })
        else if (credential.test(name) && inner !== null)
          found.push({ path: inside(path, name), message: noCredential })
        else visit(inner, inside(path, name), name, native || name === 'report_data')
      }
    }
  }
}

const noAadhaar = 'must not hold a full Aadhaar number'
const noCredential = 'must not be sent: it is named like a bank-login credential'

/**
 * One in ten numbers of twelve digits has the check digit of an Aadhaar number by chance, so a number that is something
 * else by its name is left alone, and so is one in the middle of a text that can be a bank's narration. Groups of digits
 * inside a UUID or an amount are no number of their own.
 */
function tellsAadhaar(text: string, key: string, native: boolean): boolean {
  if (!twelveDigits.test(text) || otherNumber.test(key) || (!native && ourId.test(key))) return false
  if (isAadhaar(text)) return true
  const unnamed = native || narration.test(key) ? grouped : report
  const form = /aadh?a+r|uidai/i.test(text) ? anywhere : unnamed
  return [...text.matchAll(form)].some(([digits]) => isAadhaar(digits))
}

const twelveDigits = /[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}/
const anywhere = /(?<!\d)[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?!\d)/g
const report = /(?<!\w|\w-|\d\.)[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}(?!\w|-\w|\.\d)/g
const grouped = /(?<!\w|\w-|\d\.)[2-9]\d{3}([ -])\d{4}\1\d{4}(?!\w|-\w|\.\d)/g
const otherNumber = /mobile|phone|contact|account|acct|rrn|utr|ref|txn|transaction|umrn|loan|amount|balance|date|time/i
const ourId = /_ids?$/
const narration = /message|reason/
const credential =
  /^(?:(?:net_?|internet_?|mobile_?)?bank(?:ing)?_?(?:user_?(?:name|id)|login(?:_?id)?|password|pin)|(?:login_?)?password|passcode|m_?pin|otp|cvv)$/i
