// Modules that later chunks import from the page: a second copy would have a second state.
import { batch, effect, signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime'
import { ChoiceField, describedBy, Group, idOf, Labelled, TextField } from '../form/field.tsx'
import { Actions, Button, Form, TroubleNotice } from '../form/form.tsx'
import { firstFields } from '../profile/profile.ts'
import { attempt, edited, forgive, go, known, part, values, wrong } from '../profile/profile-form.ts'
import { common, control, ProfilePart, parts } from '../profile/profile-screen.tsx'
import { language, setLanguage, t, textOf } from '../text.ts'
import { fetchTexts, provide, speak } from './deferred.tsx'
import { here } from './here.ts'
import { Title } from './title.tsx'
import { wordsFor } from './wrong.ts'

/** By the names under which they are imported. The build refuses a later screen that needs one which is not here. */
export const shared = {
  Actions,
  attempt,
  batch,
  Button,
  ChoiceField,
  common,
  control,
  describedBy,
  edited,
  effect,
  fetchTexts,
  firstFields,
  Form,
  forgive,
  Fragment,
  go,
  Group,
  here,
  idOf,
  jsx,
  jsxs,
  known,
  Labelled,
  language,
  part,
  parts,
  ProfilePart,
  provide,
  setLanguage,
  signal,
  speak,
  t,
  TextField,
  textOf,
  Title,
  TroubleNotice,
  useEffect,
  useRef,
  useSignal,
  values,
  wordsFor,
  wrong,
}
