// Looks at a page of an integrator: its status and its headers, under the same rules as webhooks.
import { callForStatus, type HttpAnswer, UnreachableError } from '#kit/http/client.ts'
import type { DeliveryPolicy } from './delivery.ts'

const timeoutMs = 5000

/** The page's answer, or why there is none; redirects are not followed. */
export async function lookAtPage(
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
