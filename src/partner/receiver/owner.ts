// Each case is authorized to the platform it belongs to (D3 §5): another one's events about it are refused at the API.
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/client.ts'
import { platformsOf } from './platforms.ts'

/**
 * Refused as `forbidden` when the case belongs to somebody else; one that does not exist yet belongs to nobody. Where only
 * one platform may call, nobody else's case is asked about, and whoever applies an event asks again in any case.
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
