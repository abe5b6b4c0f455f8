// Exports of the first later chunk that the others import. Their positions follow those of `shared`.

import { Icon } from '@lendloom/design/icon'
import { Exit } from '../loan/stopped-page.tsx'
import { BlockedNotice } from './blocked-notice.tsx'
import { fetchOptional } from './fetch-optional.ts'
import {
  about,
  ago,
  charge,
  day,
  endOfDay,
  isWeekly,
  lastDay,
  lastMoment,
  masked,
  moment,
  months,
  percent,
  period,
  rateOf,
  rupees,
  tenureOf,
  units,
  withUnit,
} from './format.ts'
import { chunkOf, Fetched } from './load-chunk.tsx'
import { openPage } from './open-page.ts'
import { Waiting } from './waiting.tsx'

export const laterShared = [
  chunkOf,
  Exit,
  Fetched,
  Icon,
  fetchOptional,
  openPage,
  Waiting,
  BlockedNotice,
  rupees,
  rateOf,
  percent,
  charge,
  units,
  months,
  isWeekly,
  tenureOf,
  day,
  lastDay,
  endOfDay,
  moment,
  lastMoment,
  masked,
  ago,
  about,
  withUnit,
  period,
]
