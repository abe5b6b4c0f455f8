// Authorizes each case for the platform that owns it (D3 §5): another one's events about it are refused at the API.
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/client.ts'
import { platformsOf } from './platforms.ts'

/**
 * Refused as `forbidden` when the case has another owner; a new case has none. With a single platform there is no check
 * here; the worker that applies an event checks again in any case.
 */
export async function requireOwner(
  ctx: Pick<Context, 'db' | 'config'>,
  { sender }: Client,
  caseRef: string,
): Promise<void> {
  if (ctx.config.PARTNER_CLIENTS.length === 1) return
  const owner = await platformsOf(ctx).ownerOf(caseRef)
  if (owner !== undefined && owner !== sender) throw new Refusal('forbidden', 'this case belongs to another platform')
}
