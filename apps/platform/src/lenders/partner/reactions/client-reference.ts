// Our references of requests to providers.
import type { Seal } from '@lendloom/seal/seal'

/**
 * Returns the reference of a request with this content. The same content has the same reference, so that a start that is
 * repeated, or that our database lost, finds its request at the provider. Other content has another reference, because a
 * case may repeat an attempt with other content: after a restore to an earlier instant, the numbers of the attempts begin
 * again. Leave out what may change in the same request, such as links and days. The digest is keyed, because the
 * reference is stored outside and the content is personal.
 */
export const clientReferenceOf = (
  { seal }: { seal: Seal },
  { caseRef }: { caseRef: string },
  purpose: string,
  content: object,
): string =>
  `${caseRef}:${purpose}:${seal.digest(JSON.stringify(content), `provider request ${purpose}`).subarray(0, 12).toString('base64url')}`
