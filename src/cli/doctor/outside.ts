// Checks of what a program needs around it: mail server, malware scanner, disk, network registry.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Clamd } from '#kit/files/malware.ts'
import { scannerFault } from '#kit/files/malware-proof.ts'
import type { ClientCertificate } from '#kit/http/client-certificate.ts'
import { type Clock, daysAfter } from '#kit/runtime/clock.ts'
import type { Config } from '#kit/runtime/config.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { verifyMailServer } from '#kit/runtime/mail.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { ownEntry, ownKeyIn } from '#platform/network/registry-entry.ts'
import type { networkSettings } from '#platform/network/settings.ts'
import { type Finding, failed, ok, warning } from './check.ts'

export async function mailServerOf({ SMTP_URL }: { SMTP_URL: string }): Promise<Finding> {
  if (SMTP_URL === 'none')
    return warning('no mail server: alerts are only logged, and invitations are passed on by hand', 'set SMTP_URL')
  try {
    await verifyMailServer(SMTP_URL)
    return ok('the mail server accepts our sign-in')
  } catch (error) {
    return failed(`the mail server refuses us: ${messageOf(error)}`, 'check SMTP_URL')
  }
}

/** Only a small file is scanned; a program scans one of the maximum size at its start. */
const scannedBytes = 1 << 20

export async function scannerOf(clamd: Clamd | null, setting: string): Promise<Finding> {
  if (clamd === null) return warning('files are not scanned for malware', `set ${setting}`)
  const fault = await scannerFault(clamd, scannedBytes, AbortSignal.timeout(10_000))
  return fault === null ? ok('the scanner finds the test virus') : failed(fault, 'start clamd, or mend its limits')
}

/** A program creates its directory at its first start. */
const existingParentOf = (path: string): string => (existsSync(path) ? path : existingParentOf(dirname(path)))

const freeShare = { warning: 0.2, failed: 0.05 }

export async function diskOf(directory: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(existingParentOf(resolve(directory)))
  const share = bavail / blocks
  const found = `${Math.round((bavail * bsize) / 2 ** 30)} GiB (${Math.round(share * 100)} %) are free at ${directory}`
  if (share < freeShare.failed) return failed(found, 'free or add space before writes fail')
  return share < freeShare.warning ? warning(found, 'free or add space') : ok(found)
}

/** A key or certificate that expires within this time is to be replaced. */
const warnDays = 30

export async function networkEntryOf(
  config: Config<typeof networkSettings> & { PUBLIC_URL: string; SANDBOX: boolean },
  clock: Clock,
): Promise<Finding> {
  const { subscriberId, state, keys, keyId, fingerprint, registryUrl } = await ownEntry(
    { config, clock, log: quietLog },
    warnDays,
  )
  if (state === 'unreached')
    return failed(
      `the registry at ${registryUrl} lists nobody for us: it does not answer, or refuses our signature`,
      'register a new key with lendloom network subscribe; otherwise check NETWORK_REGISTRY_URL and NETWORK_SIGNING_KEY',
    )
  if (state === 'missing') return failed(`${subscriberId} is not in the registry`, 'lendloom network subscribe')
  const ours = ownKeyIn(keys, { keyId, fingerprint })
  if (ours?.status !== 'SUBSCRIBED')
    return failed(
      `the registry does not list our signing key under ${keyId}`,
      'set NETWORK_KEY_ID and NETWORK_SIGNING_KEY as they were registered, or register the key',
    )
  const [from, until] = [new Date(ours.validFrom), new Date(ours.validUntil)]
  const found = `our key ${keyId} of ${subscriberId} is valid from ${ours.validFrom} until ${ours.validUntil}`
  return periodOf({ from, until, found }, clock(), {
    failed: 'register a new key: lenders refuse this one',
    warning: 'register a new key before this one expires',
  })
}

function periodOf(
  { from, until, found }: { from: Date; until: Date; found: string },
  now: Date,
  actions: { failed: string; warning: string },
): Finding {
  if (!(from <= now && now < until)) return failed(found, actions.failed)
  return until <= daysAfter(now, warnDays) ? warning(found, actions.warning) : ok(found)
}

export function clientCertificateOf({ subject, validFrom, validUntil }: ClientCertificate, now: Date): Finding {
  const found = `the client certificate of ${subject} is valid from ${validFrom.toISOString()} until ${validUntil.toISOString()}`
  return periodOf({ from: validFrom, until: validUntil, found }, now, {
    failed: 'set another CLIENT_CERTIFICATE: receivers that demand one refuse it',
    warning: 'give the receivers a new one and set CLIENT_CERTIFICATE before this one expires',
  })
}
