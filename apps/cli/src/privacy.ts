// `lendloom privacy …`: borrowers' data, and how long it is kept.

import { retentionPeriods } from '@lendloom/platform/operations/installation'
import { command, type Group } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { fittedTable } from './console/show.ts'

const periods = command({
  name: 'privacy periods',
  summary: 'list how long personal data is kept, with the source of each period',
  usage: '',
  options: {},
  async run() {
    return {
      text: fittedTable(
        retentionPeriods,
        [
          { head: 'RECORDS', of: ({ records }) => records },
          { head: 'KEPT', of: ({ months, from }) => `${months} months from ${from}` },
          {
            head: 'ON REQUEST',
            of: ({ minimumMonths }) => (minimumMonths === 0 ? 'at once' : `${minimumMonths} months`),
          },
          { head: 'SOURCE', of: ({ source }) => source },
        ],
        { isWhole: true },
      ),
      data: retentionPeriods,
    }
  },
})

export const privacy: Group = {
  name: 'privacy',
  summary: 'borrowers’ data: show, export, erase, legal hold, nominee, periods',
  commands: [...operationsOf('privacy'), periods],
}
