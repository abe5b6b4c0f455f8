// What is recorded of each answered request: the developers' log, and the service levels of callbacks.
import type { AnsweredRequest } from '@lendloom/http/server'
import { requestLogOf } from '#platform/integrators/request-log/request-log.ts'
import { answerCounterOf } from './api/ondc/level/count-answers.ts'
import type { Context } from './context.ts'

export function answeredRequestsOf(ctx: Context) {
  const recorders = [requestLogOf(ctx), answerCounterOf(ctx)]
  return {
    note(answered: AnsweredRequest): void {
      for (const recorder of recorders) recorder.note(answered)
    },
    async end(): Promise<void> {
      await Promise.all(recorders.map((recorder) => recorder.end()))
    },
  }
}
