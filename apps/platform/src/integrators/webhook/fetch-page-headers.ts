// Fetches the status and headers of an integrator's page, under the same egress rules as webhooks.
import { callForStatus, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import type { DeliveryPolicy } from './delivery-policy.ts'

const timeoutMs = 5000

/** Returns the response, or the reason why there is none; does not follow redirects. */
export async function fetchPageHeaders(
  url: string,
  { egress }: Pick<DeliveryPolicy, 'egress'>,
): Promise<Omit<HttpAnswer, 'body'> | string> {
  try {
    return await callForStatus({ method: 'GET', url, egress, timeoutMs, headers: { accept: 'text/html' } })
  } catch (error) {
    if (error instanceof UnreachableError) return error.message
    throw error
  }
}
