import { addedValueByTime } from './answers/added-value-by-time.ts';
import { campaignEngagement } from './answers/campaign-engagement.ts';
import { campaignEnrollment } from './answers/campaign-enrollment.ts';
import { campaignPerformance } from './answers/campaign-performance.ts';
import { cardOnFileWidget } from './answers/card-on-file-widget.ts';
import { drivers } from './answers/drivers.ts';
import { enrollmentWidget } from './answers/enrollment-widget.ts';
import { gapAnalysis } from './answers/gap-analysis.ts';
import { messages } from './answers/messages.ts';
import { mobileAppWidget } from './answers/mobile-app-widget.ts';
import { objectiveCompletionBenchmarks } from './answers/objective-completion-benchmarks.ts';
import { objectiveCompletionRate } from './answers/objective-completion-rate.ts';
import { objectiveContent } from './answers/objective-content.ts';
import { objectiveTotalValue } from './answers/objective-total-value.ts';
import { totalValueOfOpenedProducts, valueOfOpenedProducts } from './answers/opened-products.ts';
import { optInWidget, templateOptInWidget } from './answers/opt-in-widget.ts';
import { overallNumberOfCampaigns } from './answers/overall-number-of-campaigns.ts';
import { pages } from './answers/pages.ts';
import { performance } from './answers/performance.ts';
import { templateSecurePersonalization } from './answers/secure-personalization.ts';
import type { Insight } from './declaration.ts';

/** Every insight; adding one is a file and its line here. */
export const insights: readonly Insight[] = [
  addedValueByTime,
  campaignEngagement,
  campaignEnrollment,
  campaignPerformance,
  cardOnFileWidget,
  drivers,
  enrollmentWidget,
  gapAnalysis,
  messages,
  mobileAppWidget,
  objectiveCompletionBenchmarks,
  objectiveCompletionRate,
  objectiveContent,
  objectiveTotalValue,
  optInWidget,
  overallNumberOfCampaigns,
  pages,
  performance,
  totalValueOfOpenedProducts,
  valueOfOpenedProducts,
  templateOptInWidget,
  templateSecurePersonalization,
];
