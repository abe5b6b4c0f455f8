// The credentials of the platform, as its partner configures them.
import type { PartnerCredentials } from './credentials.ts'

/** `url` is the platform's receiver. */
export const partnerClientOf = ({ sender, bearer, keyId, secret, webhook }: PartnerCredentials, url?: string) => ({
  sender,
  bearer,
  keys: [{ keyId, secret }],
  webhook: { ...(url !== undefined && { url }), bearer: webhook.bearer, ...webhook.keys[0] },
})
