// The sealed columns of every program, for `lendloom keys reseal`.
import type { Program } from '#cli/programs.ts'
import type { SealedColumn } from '#kit/crypto/sealed-column.ts'
import { partnerColumns } from '#partner/sealed-columns.ts'
import { platformColumns } from '#platform/sealed-columns.ts'
import { sandboxColumns } from '#sandbox/sealed-columns.ts'

export const sealedColumns: Record<Program, SealedColumn[]> = {
  platform: platformColumns,
  partner: partnerColumns,
  sandbox: sandboxColumns,
}
