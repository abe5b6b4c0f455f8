// The borrower's rating of the loan after the payout, once, for lenders that receive it.

import { Icon } from '@lendloom/design/icon'
import { star } from '@lendloom/design/icons'
import { useSignal } from '@preact/signals'
import { idOf } from '../form/field.tsx'
import { Actions, Button, Form } from '../form/form.tsx'
import type { FieldErrors } from '../page/field-errors.ts'
import { page } from '../page/page-state.ts'
import { t } from '../text.ts'

const values = [1, 2, 3, 4, 5]

export function Rating({ lender }: { lender: string }) {
  const { rating, cancellation } = page.view.value
  const chosen = useSignal<number | null>(null)
  const attempt = useSignal(0)
  if (!rating || (rating.given === null && cancellation)) return null
  if (rating.given !== null)
    return (
      <p class="hint">
        {t('rating.given', { stars: t('rating.of', { count: rating.given }), lender })} <Stars value={rating.given} />
      </p>
    )
  const errors: FieldErrors = attempt.value > 0 && chosen.value === null ? { rating: t('rating.choose') } : {}
  const send = () => {
    const body = { value: chosen.value }
    if (chosen.value === null) attempt.value += 1
    else void page.session.act({ method: 'POST', path: '/rating', body })
  }
  return (
    <details>
      <summary>{t('rating.title', { lender })}</summary>
      <Form errors={errors} attempt={attempt.value} onSubmit={send}>
        <fieldset class="field" id={idOf('rating')} tabIndex={-1}>
          <legend>{t('rating.choose')}</legend>
          <div class="choices">
            {values.map((value) => (
              <label class="choice" key={value}>
                <input
                  type="radio"
                  name="rating"
                  value={value}
                  aria-label={t('rating.of', { count: value })}
                  checked={chosen.value === value}
                  onChange={() => {
                    chosen.value = value
                  }}
                />
                <span>{value}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <p class="hint">{t('rating.once', { lender })}</p>
        <Actions of={/^\/rating$/}>
          <Button kind="plain" submit>
            {t('rating.send')}
          </Button>
        </Actions>
      </Form>
    </details>
  )
}

const Stars = ({ value }: { value: number }) => (
  <span class="stars">
    {values.map((each) => (
      <Icon key={each} path={star} isFilled={each <= value} />
    ))}
  </span>
)
