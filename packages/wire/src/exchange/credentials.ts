// Mutual credentials of the platform and its lending partner: one for each direction (D3 §5).

import { type Setting, secret } from '@lendloom/foundation/config'
import { jsonIn } from '@lendloom/foundation/json'
import { fits, type Static, Type } from '@lendloom/foundation/schema'

const Text = Type.String({ pattern: '^[\\x21-\\x7e]{1,500}$' })
/** Shorter secrets can be guessed. */
const Secret = Type.String({ pattern: '^[\\x21-\\x7e]{16,500}$' })

/** A signing secret; `keyId` is its name in `X-Key-Id`. */
const SigningKey = Type.Object({ keyId: Text, secret: Secret })
export type SigningKey = Static<typeof SigningKey>

/** The platform's credential for calls to the partner; `webhook` contains the partner's for calls to the platform. */
export const PartnerCredentials = Type.Object({
  /** Our sender name. */
  sender: Text,
  bearer: Secret,
  keyId: Text,
  secret: Secret,
  webhook: Type.Object({
    /** The partner's sender name. */
    sender: Text,
    bearer: Secret,
    /** The partner's signing secrets: one, or two during a rotation. */
    keys: Type.Array(SigningKey, { minItems: 1, maxItems: 2 }),
  }),
})
export type PartnerCredentials = Static<typeof PartnerCredentials>

const shape = 'a JSON object {sender, bearer, keyId, secret, webhook: {sender, bearer, keys: [{keyId, secret}]}}'

/** `PARTNER_CREDENTIALS`; empty without partners. Error messages never contain its values. */
export const partnerCredentials = (about: string): Setting<PartnerCredentials | null> => ({
  ...secret(about, ''),
  read(text) {
    if (text === '') return null
    const value = jsonIn(text)
    if (!isCredentials(value)) throw new Error(`must be ${shape}`)
    return value
  },
})

/** Whether the value matches the schema and uses no credential twice. */
export const isCredentials = (value: unknown): value is PartnerCredentials =>
  fits(PartnerCredentials, value) && areDistinct(value)

/** Whether all sender names, bearers and keys are distinct. */
const areDistinct = ({ sender, bearer, webhook }: PartnerCredentials): boolean =>
  webhook.sender !== sender &&
  webhook.bearer !== bearer &&
  new Set(webhook.keys.map((key) => key.keyId)).size === webhook.keys.length
