// What console and CLI show of a lending partner. Only the response that creates a secret contains it.

import { secondsAfter } from '@lendloom/foundation/clock'
import { tenantIn } from '@lendloom/identity/person'
import type { Run } from '@lendloom/postgres/sql'
import type { LendingPartner, NewCredentials } from '@lendloom/wire/console/lending-partners'
import type { Context } from '#platform/context.ts'
import {
  incomingAt,
  lenderKeyOf,
  outgoingAt,
  type Partner,
} from '#platform/lenders/partner/directory/lending-partner.ts'
import type { RotationResult } from '#platform/lenders/partner/directory/rotate-credential.ts'
import { listPartners, listTraffic } from '#platform/lenders/partner/directory/store.ts'
import { partnerIn } from '#platform/lenders/partner/partner-look-ups.ts'
import { listSwitches } from '#platform/lending/lender/switch/store.ts'

const daySeconds = 86_400

/** Reads one partner, or all partners when null, from the database and not from the process's cache. */
export async function readLendingPartners(
  { db, seal }: { db: Run } & Pick<Context, 'seal'>,
  at: Date,
  partnerId: string | null = null,
): Promise<LendingPartner[]> {
  const [rows, traffic, switches] = await Promise.all([
    listPartners(db),
    listTraffic(db, secondsAfter(at, -daySeconds)),
    listSwitches(db, null),
  ])
  return rows
    .filter((row) => partnerId === null || row.partnerId === partnerId)
    .map((row) => {
      const partner = partnerIn(seal, row)
      const { bppId, providerId } = lenderKeyOf(partner)
      const partnerSwitch = switches.find(
        (entry) => tenantIn(entry.tenantId) === null && entry.bppId === bppId && entry.providerId === providerId,
      )
      const {
        waitingEvents = 0,
        deadEvents = 0,
        lastEventAt = null,
      } = traffic.find((each) => each.partnerId === partner.partnerId) ?? {}
      return {
        ...partnerWire(partner, at),
        isOff: partnerSwitch !== undefined,
        offReason: partnerSwitch?.reason ?? null,
        waitingEvents,
        deadEvents,
        lastEventAt: lastEventAt?.toISOString() ?? null,
      }
    })
}

function partnerWire(partner: Partner, at: Date) {
  const { partnerId, sender, name, url, products, rules, contact, credentials, createdAt, updatedAt } = partner
  const current = outgoingAt(partner, at)
  return {
    partnerId,
    sender,
    ourSender: credentials.ourSender,
    name,
    url,
    products,
    rules,
    contact,
    outgoing: credentials.outgoing
      .filter((each) => each === current || new Date(each.from) > at)
      .map((each) => ({ keyId: each.keyId, from: each.from, isUsed: each === current })),
    incoming: incomingAt(partner, at).map(({ keyId, until }) => ({ keyId, until })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

export const newCredentialsWire = (
  partner: LendingPartner,
  { outgoing, incoming }: Pick<RotationResult, 'outgoing' | 'incoming'>,
): NewCredentials => ({
  partner,
  outgoing: outgoing && { ...credentialWire(outgoing), from: outgoing.from },
  incoming: incoming && credentialWire(incoming),
})

const credentialWire = ({ bearer, keyId, secret }: { bearer: string; keyId: string; secret: string }) => ({
  bearer,
  keyId,
  secret,
})

export type PartnerNames = Map<string, string>

/** The name of each lending partner by its id. */
export const partnerNames = async ({ db }: Pick<Context, 'db'>): Promise<PartnerNames> =>
  new Map((await listPartners(db)).map(({ partnerId, name }) => [partnerId, name]))
