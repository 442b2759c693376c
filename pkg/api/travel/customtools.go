package travel

import (
	"encoding/json"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
)

// staff is member for those who may change records of the organisation.
func (h *Handler) staff(f work) http.HandlerFunc {
	return h.member(func(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
		if !by.Role.Writes() {
			return 0, nil, fault.New(fault.Forbidden, "Only administrators and managers may define tools.").
				WithCode("role_required")
		}
		return f(w, r, by)
	})
}

// customToolList is the answer with the tools that an organisation defined.
type customToolList struct {
	Tools []customtools.Definition `json:"tools"`
}

// customToolAnswer is an answer with one.
type customToolAnswer struct {
	Tool customtools.Definition `json:"tool"`
}

// defined answers with a tool, and its version for If-Match.
func defined(w http.ResponseWriter, status int, d customtools.Definition) (int, any, error) {
	w.Header().Set("ETag", tag(d.Version))
	return status, customToolAnswer{d}, nil
}

func (h *Handler) customTools(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	all, err := h.cfg.CustomTools.List(r.Context(), by)
	if all == nil {
		all = []customtools.Definition{}
	}
	return http.StatusOK, customToolList{all}, err
}

// customTool returns the tool that the address names.
func (h *Handler) customTool(r *http.Request, by identity.Caller) (customtools.Definition, error) {
	all, err := h.cfg.CustomTools.List(r.Context(), by)
	if err != nil {
		return customtools.Definition{}, err
	}
	for _, d := range all {
		if d.Name == r.PathValue("name") {
			return d, nil
		}
	}
	return customtools.Definition{}, fault.New(fault.NotFound, "Your organisation has no such tool.").
		WithCode("unknown_tool")
}

func (h *Handler) getCustomTool(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	d, err := h.customTool(r, by)
	if err != nil {
		return 0, nil, err
	}
	return defined(w, http.StatusOK, d)
}

// customToolForm is the body that defines or replaces a tool.
type customToolForm struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Method      string          `json:"method"`
	Address     string          `json:"address"`
	Schema      json.RawMessage `json:"schema"`
	Secret      string          `json:"secret"`
	Effect      string          `json:"effect"`
	Enabled     *bool           `json:"enabled"` // true where it is left out
	Version     int             `json:"version"`
}

// saveDefinition keeps the form of a request; a tool of that name is replaced.
func (h *Handler) saveDefinition(w http.ResponseWriter, r *http.Request, by identity.Caller,
	name string) (customtools.Definition, error) {
	var in customToolForm
	if err := read(w, r, &in); err != nil {
		return customtools.Definition{}, err
	}
	d := customtools.Definition{Name: in.Name, Description: in.Description, Method: in.Method, Address: in.Address,
		Schema: in.Schema, Secret: in.Secret, Effect: in.Effect, Enabled: in.Enabled == nil || *in.Enabled}
	if name != "" {
		if in.Name != "" && in.Name != name {
			return d, refuse([]fieldProblem{{"name",
				"A tool keeps its name. Define another one, and delete this one."}})
		}
		version, err := needVersion(r, in.Version)
		if err != nil {
			return d, err
		}
		d.Name, d.Version = name, version
	}
	d, problems := customtools.Check(d, h.cfg.Sender)
	if len(problems) > 0 {
		return d, refuse(fieldsOf(problems))
	}
	return h.cfg.CustomTools.Save(r.Context(), by, d)
}

func (h *Handler) defineTool(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	d, err := h.saveDefinition(w, r, by, "")
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Location", "/api/custom-tools/"+d.Name)
	return defined(w, http.StatusCreated, d)
}

func (h *Handler) redefineTool(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	d, err := h.saveDefinition(w, r, by, r.PathValue("name"))
	if err != nil {
		return 0, nil, err
	}
	return defined(w, http.StatusOK, d)
}

func (h *Handler) deleteCustomTool(_ http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	return http.StatusNoContent, nil, h.cfg.CustomTools.Delete(r.Context(), by, r.PathValue("name"))
}

// customToolTrial is the body that tries a tool out.
type customToolTrial struct {
	Arguments json.RawMessage `json:"arguments"`
}

// customToolTried is what a call sends and, of a tool that reads, what came back.
type customToolTried struct {
	Request customtools.Request `json:"request"`
	Sent    bool                `json:"sent"`
	Answer  json.RawMessage     `json:"answer,omitempty"`
}

// tryCustomTool calls a tool that reads. Of one that changes something it shows the
// request, and sends nothing.
func (h *Handler) tryCustomTool(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	var in customToolTrial
	if err := read(w, r, &in); err != nil {
		return 0, nil, err
	}
	d, err := h.customTool(r, by)
	if err != nil {
		return 0, nil, err
	}
	out := customToolTried{}
	if out.Request, err = d.Request(in.Arguments); err != nil {
		return 0, nil, err
	}
	if d.Effect == customtools.Reads {
		if out.Answer, err = h.cfg.Sender.Send(r.Context(), by, out.Request); err != nil {
			return 0, nil, err
		}
		out.Sent = true
	}
	return http.StatusOK, out, nil
}
