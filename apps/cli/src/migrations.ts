// The migrations of each program's database.
import { migrations as partner } from '@lendloom/partner/migrations'
import { migrations as platform } from '@lendloom/platform/migrations'
import type { Migrations } from '@lendloom/postgres/migrate'
import { migrations as sandbox } from '@lendloom/sandbox/migrations'
import type { Program } from './program-names.ts'

export const migrationsOf: Record<Program, Migrations> = { platform, partner, sandbox }
