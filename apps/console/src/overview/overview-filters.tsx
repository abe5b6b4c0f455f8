// Filters of the overview, stored in the URL: time range, steps, application and product.

import { businessDate } from '@lendloom/lending/calendar'
import { productIds } from '@lendloom/lending/product/products'
import { type Range, ranges } from '@lendloom/wire/console/lists'
import type { Overview } from '@lendloom/wire/console/overview'
import { productName } from '../journeys/journey-texts.ts'
import { query, setQuery } from '../router.ts'
import { tenantId } from '../session.ts'
import { now } from '../ui/clock.ts'
import { DayFilter, Select } from '../ui/filter.tsx'
import { rangeNames } from './overview-texts.ts'

const currentRange = (): Range => ranges.find((each) => each === query.value('range')) ?? '7d'

export function currentFilters(): Record<string, string> {
  const days =
    currentRange() === 'custom' ? { from: query.value('from') || firstDayOfWeek(), to: query.value('to') } : {}
  const step = query.value('step')
  const applicationId = query.value('application')
  const product = query.value('product')
  return { tenantId: tenantId.value, range: currentRange(), ...days, step, applicationId, product }
}

/** The first of the last seven days, a date in India. */
const firstDayOfWeek = (): string => businessDate(new Date(now() - 6 * 86_400_000))

/** Changing the range resets the step, which the new range may not offer. */
const chooseRange = (range: Range) => setQuery({ range: range === '7d' ? '' : range, from: '', to: '', step: '' })

export function Filters({ applications }: Pick<Overview, 'applications'>) {
  return (
    <div class="filters overview-filters">
      <fieldset class="segments">
        <legend class="unseen">Time range</legend>
        {ranges.map((each) => (
          <label key={each}>
            <input type="radio" name="range" checked={currentRange() === each} onChange={() => chooseRange(each)} />
            <span>{rangeNames[each]}</span>
          </label>
        ))}
      </fieldset>
      {currentRange() === 'custom' && <Days />}
      {currentRange() !== '24h' && <Select name="step" label="Steps" any="By day" options={stepsOf(currentRange())} />}
      {applications.length > 1 && (
        <Select
          name="application"
          label="Application"
          any="All applications"
          options={applications.map(({ applicationId, name }) => [applicationId, name])}
        />
      )}
      <Select
        name="product"
        label="Product"
        any="All products"
        options={productIds.map((each) => [each, productName(each)])}
      />
    </div>
  )
}

const stepsOf = (range: Range) => (range === '30d' || range === '90d' ? [] : [['hour', 'By hour'] as const])

const Days = () => (
  <>
    <DayFilter name="from" label="From" preset={firstDayOfWeek()} />
    <DayFilter name="to" label="Until" />
  </>
)
