// `lendloom exchange files` and `resend-file`: what the lending partner has not stored, and another try for what it refused.
import { type Call, CannotRun, command, only, table, UsageError } from '#cli/command.ts'
import { withDatabase } from '#cli/database.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { retryRefused } from '#platform/application/partner/uploading.ts'
import { listUnstored } from '#platform/exchange/store.ts'

const options = { case: { type: 'string', value: 'caseRef', about: 'only those of one case' } } as const

export const files = command({
  name: 'exchange files',
  summary: 'files that the lending partner has not stored: they wait for another try, or it refused them',
  usage: '[--case <caseRef>]',
  options,
  async run({ options: { case: caseRef }, env }: Call<typeof options>) {
    if (caseRef !== undefined && !isUuid(caseRef)) throw new UsageError('the reference of a case is a UUID')
    const found = await withDatabase('platform', env, (db) => listUnstored(db, { caseRef: caseRef ?? null }))
    const data = found.map((file) => ({
      documentReferenceId: file.documentReferenceId,
      caseRef: file.caseRef,
      documentType: file.documentType,
      state: file.state,
      createdAt: file.createdAt,
      refusedBecause: file.refusedBecause,
    }))
    const cells = data.map((file) => [
      file.documentReferenceId,
      file.caseRef,
      file.documentType,
      file.state,
      file.createdAt.toISOString(),
      file.refusedBecause ?? '',
    ])
    const head = ['FILE', 'CASE', 'TYPE', 'STATE', 'SINCE', 'BECAUSE']
    return { text: cells.length > 0 ? table(head, cells) : 'The partner has stored every file.', data }
  },
})

export const resendFile = command({
  name: 'exchange resend-file',
  summary: 'upload a refused file again, the same bytes under the same request, when its reason was put right',
  usage: '<documentReferenceID>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const id = only(args, 'the reference of the file')
    if (!isUuid(id)) throw new UsageError('the reference of a file is a UUID')
    const file = await withDatabase('platform', env, async (db) => {
      const [found] = await listUnstored(db, { documentReferenceId: id })
      if (found?.state === 'REFUSED') await db.tx((tx) => retryRefused(tx, found, new Date()))
      return found
    })
    if (!file) throw new CannotRun(`no file ${id} waits or was refused`)
    if (file.state !== 'REFUSED') throw new CannotRun(`${file.documentType} of case ${file.caseRef} is tried by itself`)
    const { documentType, caseRef } = file
    return { text: `${documentType} of case ${caseRef} is uploaded again.`, data: { documentReferenceId: id, caseRef } }
  },
})
