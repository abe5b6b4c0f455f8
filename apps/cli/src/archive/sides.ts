// What the archive commands need of each program: its store, its sweep, and its owners, which are journeys or cases.
import { join } from 'node:path'
import type { ArchiveOwner } from '@lendloom/archive/archive'
import type { SweepDeps, SweepOptions, SweepResult } from '@lendloom/archive/archive-sweep'
import type { ObjectBackend } from '@lendloom/files/object-store'
import { configFrom } from '@lendloom/foundation/config'
import { maskedNote } from '@lendloom/foundation/mask'
import {
  archiveSettled as archiveLoans,
  listArchived as listCases,
  ownerOf as ownerOfCase,
} from '@lendloom/partner/operations/archive'
import { archiveBackend, documentSettings } from '@lendloom/partner/operations/documents'
import { noteAct } from '@lendloom/partner/operations/staff'
import {
  archiveEnded as archiveJourneys,
  archiveObjects,
  archiveSettings,
  listArchived as listJourneys,
  ownerOf as ownerOfJourney,
} from '@lendloom/platform/operations/archive'
import { tenantOfJourney } from '@lendloom/platform/operations/network'
import { noteReasonedAct } from '@lendloom/platform/operations/staff'
import type { Db, Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { CannotRun } from '#cli/command.ts'
import { dataDirectory, runOf } from '#cli/installation.ts'
import type { RealProgram } from '#cli/program-names.ts'

interface ListedPart {
  /** The journey or the case. */
  id: string
  number: number
  rows: number
  bytes: number
  objectName: string
  archivedAt: Date
}

export interface PartFilter {
  tenantId: string | null
  id: string | null
  limit: number
}

export interface ArchiveSide {
  objects(env: NodeJS.ProcessEnv): ObjectBackend
  sweep(deps: SweepDeps, at: Date, options: SweepOptions): Promise<SweepResult>
  list(db: Run, filter: PartFilter): Promise<ListedPart[]>
  /** Throws `CannotRun` for an unknown journey. */
  ownerOf(db: Run, id: string): Promise<ArchiveOwner>
  /** Records that the rows of an owner were shown with personal data. */
  noteReveal(deps: { db: Db; seal: Seal }, id: string, { reason, at }: { reason: string; at: Date }): Promise<void>
}

async function requireTenant(db: Run, journeyId: string): Promise<string> {
  const tenantId = await tenantOfJourney(db, journeyId)
  if (tenantId === undefined) throw new CannotRun(`journey ${journeyId} does not exist`)
  return tenantId
}

const platform: ArchiveSide = {
  objects(env) {
    const directory = dataDirectory(env)
    const local = runOf(directory) ? join(directory, 'platform-archive') : 'off'
    const objects = archiveObjects(configFrom(archiveSettings, { ...env, ARCHIVE_DIR: env.ARCHIVE_DIR || local }))
    if (objects) return objects
    throw new CannotRun('there is no archive: set ARCHIVE_DIR or ARCHIVE_S3_URL as for the platform')
  },
  sweep: (deps, at, options) => archiveJourneys({ ...deps, archive: deps.objects }, at, options),
  async list(db, { tenantId, id, limit }) {
    const parts = await listJourneys(db, { tenantId, journeyId: id, limit })
    return parts.map(({ journeyId, ...part }) => ({ ...part, id: journeyId }))
  },
  ownerOf: async (db, journeyId) => ownerOfJourney({ tenantId: await requireTenant(db, journeyId), journeyId }),
  async noteReveal({ db, seal }, journeyId, { reason, at }) {
    const act = {
      act: 'PERSONAL_DATA_REVEALED',
      subject: journeyId,
      tenantId: await requireTenant(db, journeyId),
      detail: { fields: 'archive' },
      reason,
    }
    await db.tx((tx) => noteReasonedAct({ tx, at, seal }, null, act))
  },
}

const partner: ArchiveSide = {
  objects(env) {
    const PARTNER_FILES_DIR = env.PARTNER_FILES_DIR || join(dataDirectory(env), 'partner-files')
    return archiveBackend(configFrom(documentSettings, { ...env, PARTNER_FILES_DIR }))
  },
  sweep: (deps, at, options) => archiveLoans({ ...deps, archive: deps.objects }, at, options),
  async list(db, { id, limit }) {
    const parts = await listCases(db, id, limit)
    return parts.map(({ caseRef, ...part }) => ({ ...part, id: caseRef }))
  },
  ownerOf: async (_db, caseRef) => ownerOfCase(caseRef),
  noteReveal: ({ db }, caseRef, { reason, at }) =>
    db.tx((tx) =>
      noteAct(tx, {
        staffId: null,
        act: 'CASE_VIEWED',
        about: { caseRef, detail: { archive: true, reason: maskedNote(reason) } },
        at,
      }),
    ),
}

export const archiveSides: Record<RealProgram, ArchiveSide> = { platform, partner }
