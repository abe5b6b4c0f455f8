// The bureau's tables: one report per client reference, and its PDF.
import { createHash } from 'node:crypto'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { BureauReport, BureauRequest } from '@lendloom/wire/provider/provider-interfaces'

type StoredReport = Omit<BureauReport, 'files'>
/** A report of an earlier version has no request. */
type SealedReport = StoredReport & { request?: BureauRequest }

const reportContext = (reportId: string) => `bureau_report/${reportId}`
const fileContext = (fileId: string) => `bureau_file/${fileId}`

interface ReportRow {
  reportId: string
  contentDigest: Buffer
  reportSealed: Buffer
}
const reportColumns = sql`report_id, content_digest, report_sealed`

export interface NewReport {
  report: StoredReport
  request: BureauRequest
  paper: Buffer | null
  /** Digest of the request, to distinguish a repetition from another request. */
  contentDigest: Buffer
}

/** Stores a report; false when its client reference exists. */
export async function storeReport(
  tx: Tx,
  seal: Seal,
  { report, request, paper, contentDigest }: NewReport,
): Promise<boolean> {
  const row = {
    reportId: report.report_id,
    clientReference: report.client_reference,
    contentDigest,
    reportSealed: seal.json({ ...report, request } satisfies SealedReport, reportContext(report.report_id)),
    pulledAt: new Date(report.pulled_at),
  }
  const inserted = await tx`insert into bureau_report ${tx(row)} on conflict (client_reference) do nothing returning 1`
  if (inserted.length > 0 && paper) await storePaper(tx, seal, report.report_id, paper)
  return inserted.length > 0
}

async function storePaper(tx: Tx, seal: Seal, reportId: string, bytes: Buffer): Promise<void> {
  const fileId = uuidv4()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const bytesSealed = seal.bytes(bytes, fileContext(fileId))
  await tx`insert into bureau_file ${tx({ reportId, fileId, kind: 'report', sizeBytes: bytes.length, sha256, bytesSealed })}`
}

/** Finds a report by the reference of the client, with its request and the digest of it. */
export async function reportByReference(
  db: Run,
  seal: Seal,
  clientReference: string,
): Promise<{ report: BureauReport; request: BureauRequest | undefined; contentDigest: Buffer } | undefined> {
  const [row] =
    await db<ReportRow>`select ${reportColumns} from bureau_report where client_reference = ${clientReference}`
  if (!row) return undefined
  const { report, request } = openReport(seal, row)
  return { report: await withFiles(db, report), request, contentDigest: row.contentDigest }
}

/** Finds a report by its id. */
export async function findReport(db: Run, seal: Seal, reportId: string): Promise<BureauReport | undefined> {
  const [row] = await db<ReportRow>`select ${reportColumns} from bureau_report where report_id = ${reportId}`
  return row && withFiles(db, openReport(seal, row).report)
}

function openReport(
  seal: Seal,
  { reportId, reportSealed }: ReportRow,
): { report: StoredReport; request: BureauRequest | undefined } {
  const { request, ...report } = seal.openJson<SealedReport>(reportSealed, reportContext(reportId))
  return { report, request }
}

/** Adds the list of its files to a report. */
async function withFiles(db: Run, report: StoredReport): Promise<BureauReport> {
  const files = await db<{ fileId: string; kind: string; sizeBytes: number; sha256: string }>`
    select file_id, kind, size_bytes, sha256 from bureau_file where report_id = ${report.report_id}`
  return {
    ...report,
    files: files.map(({ fileId, kind, sizeBytes, sha256 }) => ({
      file_id: fileId,
      kind,
      content_type: 'application/pdf',
      size_bytes: sizeBytes,
      sha256,
    })),
  }
}

/** Returns the PDF of a report. */
export async function paperOf(db: Run, seal: Seal, reportId: string, fileId: string): Promise<Buffer | undefined> {
  const [row] = await db<{ bytesSealed: Buffer }>`
    select bytes_sealed from bureau_file where report_id = ${reportId} and file_id = ${fileId}`
  return row && seal.open(row.bytesSealed, fileContext(fileId))
}
