// The sealed columns of every program, for `lendloom keys reseal`.

import { partnerColumns } from '@lendloom/partner/operations/installation'
import { platformColumns } from '@lendloom/platform/operations/installation'
import { sandboxColumns } from '@lendloom/sandbox/operations/installation'
import type { SealedColumn } from '@lendloom/seal/sealed-column'
import type { Program } from '#cli/program-names.ts'

export const sealedColumns: Record<Program, SealedColumn[]> = {
  platform: platformColumns,
  partner: partnerColumns,
  sandbox: sandboxColumns,
}
