// Plays the banks and registrars: encrypts a statement of each shared account for the requesting lender.

import { createPublicKey } from 'node:crypto'
import { daysAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import { parse, type Static } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { uuidv4 } from '@lendloom/seal/id'
import { openCompactJws } from '@lendloom/seal/jws'
import { SignedConsent } from '@lendloom/wire/aggregator/consent-api'
import {
  type DataFetch,
  type DataRequest,
  encryptData,
  keyMaterialOf,
  newEphemeral,
  sessionOf,
} from '@lendloom/wire/aggregator/data-encryption'
import { type ApiCall, ApiRefusal } from './api-call.ts'
import { detailOf, mutualFunds, signedConsentOf, statusOf } from './consent.ts'
import { holdingsOf } from './holdings.ts'
import { type ConsentRow, consentById, findDataSession, storeDataSession } from './store.ts'

/** Opens a data session for an active consent. The lender must repeat the consent's signature. */
export async function openDataSession(
  { ctx, caller, body, at }: ApiCall<Static<typeof DataRequest>>,
  consent: ConsentRow,
) {
  if (caller.type !== 'FIU') throw new ApiRefusal(403, 'Unauthorized', 'only lenders may collect data')
  const { artefactStatus } = statusOf(consent, detailOf(ctx.seal, consent), at)
  if (artefactStatus === 'EXPIRED') throw new ApiRefusal(403, 'ConsentExpired', 'the consent has expired')
  if (artefactStatus === 'REVOKED') throw new ApiRefusal(403, 'ConsentRevoked', 'the consent was revoked')
  const [, , signature] = signedConsentOf(ctx.seal, consent).split('.')
  if (body.Consent.digitalSignature !== signature)
    throw new ApiRefusal(400, 'SignatureDoesNotMatch', "digitalSignature does not match the consent's signature")
  const sessionId = uuidv4()
  const consentId = required(consent.consentId, 'id of an approved consent')
  const { KeyMaterial: keyMaterial } = body
  await storeDataSession(ctx.db, {
    sessionId,
    consentId,
    requestor: caller.entityId,
    keyMaterial,
    createdAt: at,
  })
  return { consentId, sessionId }
}

/** The statements of all accounts in the consent, each encrypted under its own key. */
export async function fetchData({ ctx, caller, body, at }: ApiCall<Static<typeof DataFetch>>) {
  const session = isUuid(body.sessionId) ? await findDataSession(ctx.db, body.sessionId) : undefined
  if (session?.requestor !== caller.entityId) throw new ApiRefusal(400, 'InvalidSessionId', 'there is no such session')
  const consent = required(await consentById(ctx.db, session.consentId), 'consent of the session')
  const key = createPublicKey(ctx.signers.aggregator.privateKey)
  const { Accounts } = parse(SignedConsent, await openCompactJws(signedConsentOf(ctx.seal, consent), () => key))
  const FI = Accounts.map(({ fiType, fipId, linkRefNumber, maskedAccNumber, accType }) => {
    const ephemeral = newEphemeral()
    const content =
      fiType === mutualFunds
        ? { type: 'mutual_funds', Summary: holdingsOf(fipId, linkRefNumber, maskedAccNumber) }
        : { type: 'deposit', Summary: summaryOf(linkRefNumber, at) }
    const statement = JSON.stringify({ ...content, maskedAccNumber, accType })
    const encryptedFI = encryptData(sessionOf(ephemeral, session.keyMaterial), statement)
    return {
      fipID: fipId,
      data: [{ linkRefNumber, maskedAccNumber, encryptedFI }],
      KeyMaterial: keyMaterialOf(ephemeral, daysAfter(at, 1)),
    }
  })
  return { FI }
}

/** A fictional summary that is always the same for an account. */
function summaryOf(linkRefNumber: string, at: Date) {
  const seed = Number.parseInt(linkRefNumber.slice(0, 6), 16)
  return {
    currentBalance: `${5_000 + (seed % 95_000)}.00`,
    currency: 'INR',
    balanceDateTime: at.toISOString(),
    monthsWithCredits: 12,
    status: 'ACTIVE',
  }
}
