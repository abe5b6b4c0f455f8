// Checks of what a program needs around it: mail server, SMS provider, malware scanner, disk, entry in the network
// registry, client certificate.

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Clamd } from '@lendloom/files/malware'
import { scannerFault } from '@lendloom/files/malware-scanner-proof'
import type { Clock } from '@lendloom/foundation/clock'
import type { Config } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { messageOf } from '@lendloom/foundation/thrown'
import { call } from '@lendloom/http/client'
import type { ClientCertificate } from '@lendloom/http/client-certificate'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import { verifyMailServer } from '@lendloom/mail/mail'
import { type networkSettings, ownEntry } from '@lendloom/platform/operations/network'
import { type Finding, failed, isExpiring, ok, warnDays, warning } from '#cli/check.ts'
import { signingKeyFinding } from '#cli/network/doctor/registry.ts'

/** Whether the mail server accepts our sign-in. */
export async function checkMailServer({ SMTP_URL }: { SMTP_URL: string }): Promise<Finding> {
  if (SMTP_URL === 'none')
    return warning('no mail server: alerts are only logged, and invitations are passed on by hand', 'set SMTP_URL')
  try {
    await verifyMailServer(SMTP_URL)
    return ok('the mail server accepts our sign-in')
  } catch (error) {
    return failed(`the mail server refuses us: ${messageOf(error)}`, 'check SMTP_URL')
  }
}

interface SmsProvider {
  SMS_URL: string | null
  SMS_API_KEY: string
  SANDBOX: boolean
}

/** Whether the SMS provider answers, and does not refuse our key. Only a POST sends a message, so it gets a GET. */
export async function checkSmsProvider(config: SmsProvider): Promise<Finding> {
  const { SMS_URL: url, SMS_API_KEY } = config
  if (url === null) return ok('none: sessions cannot ask for a link that can be sent')
  const headers = { authorization: `Bearer ${SMS_API_KEY}` }
  try {
    const { status } = await call({ method: 'GET', url, headers, timeoutMs: 10_000, egress: egressPolicyOf(config) })
    if (status === 401 || status === 403) return failed(`the SMS provider answers ${status}`, 'check SMS_API_KEY')
    return status < 500
      ? ok('the SMS provider answers')
      : failed(`the SMS provider answers ${status}`, 'ask the provider')
  } catch (error) {
    return failed(`the SMS provider does not answer: ${messageOf(error)}`, 'check SMS_URL')
  }
}

/** Only a small file is scanned; a program scans one of the maximum size at its start. */
const scannedBytes = 1 << 20

/** Whether the malware scanner finds the test virus in a file. */
export async function checkScanner(clamd: Clamd | null, setting: string): Promise<Finding> {
  if (clamd === null) return warning('files are not scanned for malware', `set ${setting}`)
  const fault = await scannerFault(clamd, scannedBytes, AbortSignal.timeout(10_000))
  return fault === null ? ok('the scanner finds the test virus') : failed(fault, 'start clamd, or mend its limits')
}

/** A program creates its directory at its first start. */
const existingParentOf = (path: string): string => (existsSync(path) ? path : existingParentOf(dirname(path)))

/** The free share of a disk below which we warn, and below which the check fails. */
const freeShare = { warning: 0.2, failed: 0.05 }

/** How much of the disk of a directory is free. */
export async function checkDisk(directory: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(existingParentOf(resolve(directory)))
  const share = bavail / blocks
  const found = `${Math.round((bavail * bsize) / 2 ** 30)} GiB (${Math.round(share * 100)} %) are free at ${directory}`
  if (share < freeShare.failed) return failed(found, 'free or add space before writes fail')
  return share < freeShare.warning ? warning(found, 'free or add space') : ok(found)
}

/** Whether the registry of the network lists our signing key, and until when. */
export async function checkNetworkEntry(
  config: Config<typeof networkSettings> & { PUBLIC_URL: string; SANDBOX: boolean },
  clock: Clock,
): Promise<Finding> {
  return signingKeyFinding(await ownEntry({ config, clock, log: quietLog }, warnDays), clock())
}

/** Whether the certificate that we present to receivers is valid, and until when. */
export function checkClientCertificate({ subject, validFrom, validUntil }: ClientCertificate, now: Date): Finding {
  const found = `the client certificate of ${subject} is valid from ${validFrom.toISOString()} until ${validUntil.toISOString()}`
  if (!(validFrom <= now && now < validUntil))
    return failed(found, 'set another CLIENT_CERTIFICATE: receivers that demand one refuse it')
  return isExpiring(validUntil, now)
    ? warning(found, 'give the receivers a new one and set CLIENT_CERTIFICATE before this one expires')
    : ok(found)
}
