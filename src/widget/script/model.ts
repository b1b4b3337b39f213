/** The fields of a response that the widget reads (openapi.json: recipient_journey). */
export interface Model {
  journey: {
    id: string;
    current_page_id?: string;
    objectives: readonly { id: string; key: string; name: string; completed_at?: string }[];
  };
  team: { name: string };
  template: { name: string; theme: Readonly<Record<string, unknown>> };
  locale: string;
  widget?: Settings;
  pages: readonly PageSummary[];
  session: Session;
}

export interface Session {
  csrf_token?: string;
  assurance: string;
  can_verify: boolean;
}

export interface PageSummary {
  id: string;
  title: string;
  is_done: boolean;
  is_locked: boolean;
}

export interface Page extends PageSummary {
  html?: string;
  widget?: Settings;
}

export interface Settings {
  id: string;
  widget_kind: string;
  opt_in?: { channels: readonly Channel[]; double_opt_in: boolean };
  card_on_file?: { merchants: readonly string[] };
  mobile_app?: { ios_url?: string; android_url?: string };
}
export type Channel = 'email' | 'sms' | 'push';
export type Factor = 'postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email';

export interface Challenge {
  id: string;
  factor: Factor;
  offered_factors: readonly Factor[];
}

export interface Verdict {
  status: 'passed' | 'failed';
  attempts_left?: number;
  session?: Session;
}

export interface Event {
  kind: string;
  page_id?: string;
  properties?: object;
  /** For an event that is sent again when no answer came; random if absent. */
  unique_id?: string;
}
