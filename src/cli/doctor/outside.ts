// Checks of what a program needs around it: mail server, malware scanner, disk, network registry, file store.
import { statfs } from 'node:fs/promises'
import type { Clamd } from '#kit/files/malware.ts'
import { scannerFault } from '#kit/files/malware-proof.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import type { Config } from '#kit/runtime/config.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { verifyMailServer } from '#kit/runtime/mail.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { ownEntry } from '#platform/network/registry-entry.ts'
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

const freeShare = { warning: 0.2, failed: 0.05 }

export async function diskOf(directory: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(directory)
  const share = bavail / blocks
  const found = `${Math.round((bavail * bsize) / 2 ** 30)} GiB (${Math.round(share * 100)} %) are free at ${directory}`
  if (share < freeShare.failed) return failed(found, 'free or add space before writes fail')
  return share < freeShare.warning ? warning(found, 'free or add space') : ok(found)
}

/** A key that expires within this time is to be replaced. */
const warnDays = 30

export async function networkEntryOf(
  config: Config<typeof networkSettings> & { PUBLIC_URL: string; SANDBOX: boolean },
): Promise<Finding> {
  const entry = await ownEntry({ config, clock: systemClock, log: quietLog }, warnDays)
  const { subscriberId, state, isKeyKnown, validUntil, endsSoon, registryUrl } = entry
  if (state === 'unreached')
    return failed(`the registry at ${registryUrl} does not answer`, 'check NETWORK_REGISTRY_URL')
  if (state === 'missing') return failed(`${subscriberId} is not in the registry`, 'lendloom network subscribe')
  if (!isKeyKnown)
    return failed(
      `the registry does not list our signing key under ${entry.keyId}`,
      'set NETWORK_KEY_ID and NETWORK_SIGNING_KEY as they were registered, or register the key',
    )
  const found = `${subscriberId} is registered until ${validUntil}`
  return endsSoon ? warning(found, 'register a new key before the old one expires') : ok(found)
}
