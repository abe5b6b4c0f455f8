// Settings for network grievances: the platform's contact, lenders' deadlines, category codes.

import { categories, subCategories } from '#contract/network/igm/schema.ts'
import { durationMs } from '#kit/runtime/clock.ts'
import { type Setting, text } from '#kit/runtime/config.ts'
import { isObject, isOneOf } from '#kit/runtime/record.ts'
import { type Topic, topics } from './topic.ts'

const duration = (about: string, fallback: string): Setting<string> => ({
  ...text(about, fallback),
  read(value) {
    if ((durationMs(value) ?? 0) < 1000) throw new Error(`must be an ISO 8601 duration, not "${value}"`)
    return value
  },
})

const codes: Setting<Partial<Record<Topic, string>>> = {
  about: `Codes of the network for what a complaint is about, as JSON: ${topics.join(', ')}, each as CATEGORY/SUB`,
  fallback: '{}',
  read(value) {
    const given: unknown = JSON.parse(value)
    const isFit = (code: unknown): boolean => {
      const [category, sub, ...more] = String(code).split('/')
      return (
        more.length === 0 && categories.some((each) => each === category) && subCategories.some((each) => each === sub)
      )
    }
    const wrong = `must be a JSON object of ${topics.join(', ')}, each a code such as PAYMENT/PMT01`
    if (!isObject(given)) throw new Error(wrong)
    const codes: Partial<Record<Topic, string>> = {}
    for (const [topic, code] of Object.entries(given)) {
      if (!isOneOf(topics, topic) || !isFit(code)) throw new Error(wrong)
      codes[topic] = String(code)
    }
    return codes
  },
}

export const grievanceSettings = {
  GRIEVANCE_OFFICER_NAME: text('Who takes complaints to lenders for us', 'Neha Joshi'),
  GRIEVANCE_OFFICER_PHONE: text('Where lenders reach them by phone', '022-40007001'),
  GRIEVANCE_OFFICER_EMAIL: text('And by e-mail', 'grievance@lendloom.example'),
  GRIEVANCE_RESPONSE_TIME: duration('How long a lender has for its first answer to a complaint', 'PT2H'),
  GRIEVANCE_RESOLUTION_TIME: duration('How long it has to resolve one before the borrower may escalate it', 'P1D'),
  GRIEVANCE_CODES: codes,
}
