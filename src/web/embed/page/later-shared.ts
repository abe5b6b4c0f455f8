// Exports of the first later chunk that the others import. Their positions follow those of `shared`.
import { Exit } from '../loan/stop.tsx'
import { BlockedNotice } from './blocked-notice.tsx'
import { chunkOf, Fetched } from './chunk.tsx'
import { fetchOptional } from './look.ts'
import { openPage } from './open-page.ts'
import { Waiting } from './waiting.tsx'

export const laterShared = [BlockedNotice, chunkOf, Exit, Fetched, fetchOptional, openPage, Waiting]
