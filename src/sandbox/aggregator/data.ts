// The role of banks and registrars: a statement for each shared account, encrypted end to end for the requesting
// lender.

import { createPublicKey } from 'node:crypto'
import { SignedConsent } from '#contract/aggregator/consent.ts'
import {
  type DataFetch,
  type DataRequest,
  encryptData,
  keyMaterialOf,
  newEphemeral,
  sessionOf,
} from '#contract/aggregator/data.ts'
import { isUuid, uuidv4 } from '#kit/crypto/id.ts'
import { openCompactJws } from '#kit/crypto/jws.ts'
import { parse, type Static } from '#kit/http/schema.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import { type ApiCall, ApiRefusal } from './api-call.ts'
import { detailOf, mutualFunds, signedOf, statusOf } from './consent.ts'
import { holdingsOf } from './holdings.ts'
import { type ConsentRow, consentById, findDataSession, keepDataSession } from './store.ts'

/** Opens a session for the data of an active consent, whose signature the lender repeats. */
export async function openDataSession(
  { ctx, who, body, at }: ApiCall<Static<typeof DataRequest>>,
  consent: ConsentRow,
) {
  if (who.type !== 'FIU') throw new ApiRefusal(403, 'Unauthorized', 'only lenders collect data')
  const { artefactStatus } = statusOf(consent, detailOf(ctx.seal, consent), at)
  if (artefactStatus === 'EXPIRED') throw new ApiRefusal(403, 'ConsentExpired', 'the consent has expired')
  if (artefactStatus === 'REVOKED') throw new ApiRefusal(403, 'ConsentRevoked', 'the consent was revoked')
  const [, , signature] = signedOf(ctx.seal, consent).split('.')
  if (body.Consent.digitalSignature !== signature)
    throw new ApiRefusal(400, 'SignatureDoesNotMatch', 'digitalSignature is not that of the consent')
  const sessionId = uuidv4()
  const consentId = required(consent.consentId, 'id of an approved consent')
  const { KeyMaterial: keyMaterial } = body
  await keepDataSession(ctx.db, {
    sessionId,
    consentId,
    requestor: who.entityId,
    keyMaterial,
    createdAt: at,
  })
  return { consentId, sessionId }
}

/** The statements of every account that the consent names, each bank under a key of its own. */
export async function fetchData({ ctx, who, body, at }: ApiCall<Static<typeof DataFetch>>) {
  const session = isUuid(body.sessionId) ? await findDataSession(ctx.db, body.sessionId) : undefined
  if (session?.requestor !== who.entityId) throw new ApiRefusal(400, 'InvalidSessionId', 'there is no such session')
  const consent = required(await consentById(ctx.db, session.consentId), 'consent of the session')
  const key = createPublicKey(ctx.signers.aggregator.privateKey)
  const { Accounts } = parse(SignedConsent, await openCompactJws(signedOf(ctx.seal, consent), () => key))
  const FI = Accounts.map(({ fiType, fipId, linkRefNumber, maskedAccNumber, accType }) => {
    const own = newEphemeral()
    const content =
      fiType === mutualFunds
        ? { type: 'mutual_funds', Summary: holdingsOf(fipId, linkRefNumber, maskedAccNumber) }
        : { type: 'deposit', Summary: summaryOf(linkRefNumber, at) }
    const statement = JSON.stringify({ ...content, maskedAccNumber, accType })
    const encryptedFI = encryptData(sessionOf(own, session.keyMaterial), statement)
    return {
      fipID: fipId,
      data: [{ linkRefNumber, maskedAccNumber, encryptedFI }],
      KeyMaterial: keyMaterialOf(own, daysAfter(at, 1)),
    }
  })
  return { FI }
}

/** Figures that differ from account to account and stay the same for each. */
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
