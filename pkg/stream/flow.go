package stream

import "github.com/bellhop-ai/bellhop/pkg/agent"

// Names of the events of flows that match intents, run fixed sequences of tools
// or enrich figures. A flow that does none of it sends none of them.
const (
	IntentDetecting     = "intent_detecting"
	IntentDetected      = "intent_detected"
	EntitiesExtracted   = "entities_extracted"
	PipelinePlanned     = "pipeline_planned"
	PipelineExecuting   = "pipeline_executing"
	EnrichmentsPlanned  = "enrichments_planned"
	EnrichmentsApplying = "enrichments_applying"
)

// Intent is what a message was matched with.
type Intent = agent.Intent

// Enrichment is something that code adds to figures.
type Enrichment = agent.Enrichment

// DetectingIntent returns the event that so many intents are compared.
func DetectingIntent(intents int) Event {
	return Event{Name: IntentDetecting, Data: map[string]int{"intents": intents}}
}

// DetectedIntent returns the event of the best match.
func DetectedIntent(i Intent) Event { return Event{Name: IntentDetected, Data: i} }

// ExtractedEntities returns the event of what was found in the message, by name.
func ExtractedEntities(entities map[string]any) Event {
	return Event{Name: EntitiesExtracted, Data: map[string]any{"entities": entities}}
}

// PlannedPipeline returns the event of the tools that will run, in order.
func PlannedPipeline(steps []PipelineStep) Event {
	return Event{Name: PipelinePlanned, Data: map[string][]PipelineStep{"steps": steps}}
}

// ExecutingPipeline returns the event that the plan's step number step begins,
// counted from 1, of so many; it comes before that step's executing_tool.
func ExecutingPipeline(step, of int) Event {
	return Event{Name: PipelineExecuting, Data: map[string]int{"step": step, "of": of}}
}

// PlannedEnrichments returns the event of what fits the figures that were found.
func PlannedEnrichments(list []Enrichment) Event {
	return Event{Name: EnrichmentsPlanned, Data: map[string][]Enrichment{"enrichments": list}}
}

// ApplyingEnrichments returns the event that these are handed to the model.
func ApplyingEnrichments(list []Enrichment) Event {
	return Event{Name: EnrichmentsApplying, Data: map[string][]Enrichment{"enrichments": list}}
}
