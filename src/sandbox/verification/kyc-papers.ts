// What the identity provider hands over: the records it fetched, the recording of the call, and its report once it has decided.

import { createHash } from 'node:crypto'
import type { KycRequest } from '#contract/provider/kyc.ts'
import { type Block, pdfOf } from '#kit/files/pdf.ts'
import { longDayText } from '#kit/money/calendar.ts'
import { masked } from '#sandbox/core/format.ts'
import { recording } from './recording.ts'
import type { Paper, Verification } from './verification.ts'

const author = 'Sandbox Identity'

export async function kycPapers(of: Verification<KycRequest>, at: Date): Promise<Paper[]> {
  const isVideo = of.request.mode === 'VIDEO'
  const fetched = of.state === (isVideo ? 'UNDER_REVIEW' : 'VERIFIED')
  const papers = [
    ...(fetched ? [await aadhaarPaper(of, at), await panPaper(of, at)] : []),
    ...(fetched && isVideo ? [{ kind: 'video', contentType: 'video/mp4', bytes: recording(at) } as const] : []),
    ...(of.state === 'VERIFIED' ? [await report(of, at)] : []),
  ]
  return papers
}

/** Only the last four digits of an Aadhaar number are ever written: here invented from the request's own name. */
const lastFour = ({ verificationId }: Pick<Verification, 'verificationId'>): string =>
  String(createHash('sha256').update(verificationId).digest().readUInt32BE() % 10_000).padStart(4, '0')

const aadhaarPaper = (of: Verification<KycRequest>, at: Date): Promise<Paper> =>
  paper('aadhaar_xml_pdf', 'Aadhaar offline verification', at, [
    table([
      ['Name', of.request.person.full_name],
      ['Date of birth', longDayText(of.request.person.date_of_birth)],
      ['Aadhaar number', `XXXX XXXX ${lastFour(of)}`],
      ['Signature of the issuing authority', 'valid'],
    ]),
  ])

const panPaper = ({ request: { person } }: Verification<KycRequest>, at: Date): Promise<Paper> =>
  paper('pan_pdf', 'PAN verification', at, [
    table([
      ['PAN', person.pan],
      ['Name on record', person.full_name],
      ['Status', 'VALID'],
      ['Name and date of birth', 'match'],
    ]),
  ])

const report = (of: Verification<KycRequest>, at: Date): Promise<Paper> =>
  paper('kyc_report', 'KYC report', at, [
    table([
      ['Session', of.verificationId],
      ['Way', of.request.mode === 'VIDEO' ? 'records and a recorded video call' : 'records from DigiLocker'],
      ['Name', of.request.person.full_name],
      ['PAN', masked(of.request.person.pan)],
      ['Begun', of.createdAt.toISOString()],
      ['Decided', at.toISOString()],
      ['Result', of.state],
    ]),
    ...(of.request.mode === 'VIDEO' ? [{ kind: 'heading', text: 'The call' } as const, call] : []),
  ])

const call = tableOf(
  ['Check', 'Outcome'],
  [
    ['Consent recorded', 'yes'],
    ['Inside India, by the place of the device', 'yes'],
    ['Alive, not a picture', 'yes'],
    ['Face against the Aadhaar photograph', 'match'],
    ['PAN card shown and read', 'yes'],
  ],
)

async function paper(kind: string, title: string, createdAt: Date, blocks: Block[]): Promise<Paper> {
  const notice: Block = { kind: 'text', text: 'This is a paper of the sandbox: nobody was identified.' }
  const bytes = await pdfOf({ title, author, blocks: [...blocks, notice], createdAt })
  return { kind, contentType: 'application/pdf', bytes }
}

function tableOf(head: string[], rows: string[][]): Block {
  return { kind: 'table', head, rows, widths: [2, 3] }
}
const table = (rows: string[][]): Block => tableOf([], rows)
