// Documents with a real malware scanner: finds a virus at any position, and stores nothing unscanned.
import { existsSync } from 'node:fs'
import { clamd as scannerAt } from '@lendloom/files/malware'
import { uuidv4 } from '@lendloom/seal/id'
import { type Clamd, limitsOf, startClamd } from '@lendloom/tests/setup/clamd'
import { eicar } from '@lendloom/tests/setup/files'
import { maxFileBytes } from '@lendloom/wire/exchange/document'
import { videoOf } from '../bench/setup/upload.ts'
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import { type Documents, digestOf, startDocuments } from './setup/documents.ts'
import { until } from './setup/until.ts'

export const about = `Debian's clamd for the partner's documents: finds a test virus at 249 MiB, and nothing is stored without a scan
Uploads videos of 250 MiB by the partner's own route: clean, and with the test virus EICAR at the start, at 120 MiB and at
249 MiB; then one that is too large, and one while clamd is down. The control is a clamd with its default limits, which misses
EICAR at 120 MiB; the partner must reject such a scanner.`

const binary = '/usr/sbin/clamd'

export const missing = (): string | null =>
  existsSync(binary) ? null : `${binary} is missing: apt-get install clamav-daemon`

const MiB = 1 << 20

export async function run(): Promise<Outcome> {
  const all = checks()
  const clamd = await startClamd(binary, limitsOf('300M'))
  const partner = await startDocuments({ PARTNER_CLAMD: `127.0.0.1:${clamd.port}` })
  try {
    await waitUntilScannerAccepted(partner)
    const seconds = await proveVirusIsFound(partner, all.note)
    await proveUploadFailsWithoutScanner(partner, clamd, all.note)
    await clamd.kill()
    await proveWeakScannerIsRejected(partner, all.note)
    all.note('no draft is left of refused files', partner.drafts() === 0)
    const figures = `250 MiB scanned and stored in ${seconds.toFixed(1)} s; ${wordsOf(all)}`
    return { passed: all.failed.length === 0, figures }
  } finally {
    await partner.stop()
    await clamd.kill()
  }
}

type Note = ReturnType<typeof checks>['note']

const waitUntilScannerAccepted = (partner: Documents): Promise<void> =>
  until(async () => (await partner.notReadyReason()) === null, 'the partner has accepted its scanner', 180)

/** A video of the maximum size, with EICAR at this offset of its media; clean if absent. */
function video(virusOffset?: number): Buffer[] {
  const file = videoOf(maxFileBytes - Buffer.concat(videoOf(0)).length)
  if (virusOffset === undefined) return file
  const at = 3 + Math.floor(virusOffset / MiB)
  const media = Buffer.from(file[at] ?? '')
  eicar.copy(media, 0)
  return file.with(at, media)
}

/** Proves that EICAR is found; returns how long the clean upload took, in seconds. */
async function proveVirusIsFound(partner: Documents, note: Note): Promise<number> {
  const file = video()
  const begun = performance.now()
  const { status, body } = await partner.upload(file)
  const seconds = (performance.now() - begun) / 1000
  note(`a clean video of ${maxFileBytes / MiB} MiB is stored`, status === 201 && body.sha256 === digestOf(file), status)
  const rows = await partner.stored()
  for (const mebibytes of [0, 120, 249]) {
    const { status, body } = await partner.upload(video(mebibytes * MiB))
    const isFound = status === 422 && /malware scanner/.test(JSON.stringify(body))
    note(`a video with EICAR at ${mebibytes} MiB is refused`, isFound, status)
  }
  const { status: tooLarge } = await partner.upload([...video(), Buffer.alloc(1)])
  note('a video that is one byte too large is refused', tooLarge === 413, tooLarge)
  note('and no refused video is stored', (await partner.stored()) === rows)
  return seconds
}

async function proveUploadFailsWithoutScanner(partner: Documents, clamd: Clamd, note: Note): Promise<void> {
  const rows = await partner.stored()
  const file = videoOf(MiB)
  const requestId = uuidv4()
  await clamd.kill()
  const { status } = await partner.upload(file, requestId)
  note('while clamd is down the answer is 503', status === 503, status)
  note('and nothing is stored', (await partner.stored()) === rows)
  await clamd.start()
  const again = await partner.upload(file, requestId)
  note('when clamd is up again the same request is stored', again.status === 201, again.status)
}

async function proveWeakScannerIsRejected(partner: Documents, note: Note): Promise<void> {
  const lax = await startClamd(binary, ['StreamMaxLength 260M'])
  try {
    const scan = await scannerAt({ host: '127.0.0.1', port: lax.port, patienceMs: 180_000 }).begin()
    for (const piece of video(120 * MiB)) await scan.write([piece])
    note('control: with its default limits, clamd misses EICAR at 120 MiB', (await scan.end()) === null)
    const rows = await partner.stored()
    await partner.kill()
    await partner.start({ PARTNER_CLAMD: `127.0.0.1:${lax.port}` })
    const isTested = async () => !/is being tested/.test((await partner.notReadyReason()) ?? '')
    await until(isTested, 'the partner has tested its scanner', 180)
    const notReadyReason = (await partner.notReadyReason()) ?? ''
    note(
      'the partner reports that the scanner is inadequate',
      /does not find a test virus at the end of 250 MiB/.test(notReadyReason),
      notReadyReason,
    )
    const { status } = await partner.upload(videoOf(MiB))
    note('and stores nothing that this scanner has passed', status === 503 && (await partner.stored()) === rows, status)
  } finally {
    await lax.kill()
  }
}
