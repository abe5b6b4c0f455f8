// Authorizes access to a case only for the platform that owns it (D3 §5).
import { Refusal } from '@lendloom/foundation/refusal'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/clients-setting.ts'
import { platformsOf } from './platforms.ts'

/**
 * Throws `forbidden` if another platform owns the case. Skips the check if only one platform is configured, because the
 * worker checks the owner again when it applies an event.
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
