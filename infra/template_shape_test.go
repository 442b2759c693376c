package infra_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// shape says which keys a mapping of the template may have. A nil shape is a
// value that is not looked into.
type shape map[string]shape

// properties lists, per resource type, the properties that we know to exist.
// A misspelt key would deploy quietly without its effect, so each new one is
// looked up in AWS's reference and added here.
func properties() map[string]shape {
	return map[string]shape{
		"AWS::Serverless::Function": {
			"CodeUri": nil, "Description": nil, "Handler": nil, "Runtime": nil, "Architectures": nil,
			"MemorySize": nil, "Timeout": nil, "ReservedConcurrentExecutions": nil,
			"Environment":   {"Variables": nil},
			"LoggingConfig": {"LogFormat": nil, "LogGroup": nil, "SystemLogLevel": nil},
			"FunctionUrlConfig": {
				"AuthType": nil, "InvokeMode": nil,
			},
			"Events": nil,
			"EventInvokeConfig": {"MaximumRetryAttempts": nil, "MaximumEventAgeInSeconds": nil,
				"DestinationConfig": {"OnFailure": {"Type": nil, "Destination": nil}}},
			"Policies": nil,
		},
		"AWS::Lambda::Permission": {
			"FunctionName": nil, "Action": nil, "Principal": nil, "FunctionUrlAuthType": nil,
			"InvokedViaFunctionUrl": nil, "SourceArn": nil,
		},
		"AWS::Logs::LogGroup": {"LogGroupName": nil, "RetentionInDays": nil},
		"AWS::SQS::Queue": {"SqsManagedSseEnabled": nil, "MessageRetentionPeriod": nil, "VisibilityTimeout": nil,
			"RedrivePolicy": {"deadLetterTargetArn": nil, "maxReceiveCount": nil}},
	}
}

func topShape() shape {
	return shape{
		"AWSTemplateFormatVersion": nil, "Transform": nil, "Description": nil,
		"Parameters": nil, "Globals": {"Function": properties()["AWS::Serverless::Function"]},
		"Resources": nil, "Outputs": nil,
	}
}

func parameterShape() shape {
	return shape{"Type": nil, "Default": nil, "Description": nil, "NoEcho": nil, "MinLength": nil, "MaxLength": nil,
		"MinValue": nil, "MaxValue": nil, "AllowedPattern": nil, "AllowedValues": nil, "ConstraintDescription": nil}
}

func resourceShape(kind string) shape {
	return shape{"Type": nil, "Properties": properties()[kind], "DependsOn": nil,
		"Metadata": {"BuildMethod": nil, "BuildProperties": {"TrimGoPath": nil}}}
}

// unknownKeys names every key in value that its shape does not have.
func unknownKeys(where string, value any, s shape) []string {
	m, ok := value.(map[string]any)
	if !ok || s == nil {
		return nil
	}
	var unknown []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		below, known := s[key]
		if !known {
			unknown = append(unknown, where+"."+key)
			continue
		}
		unknown = append(unknown, unknownKeys(where+"."+key, m[key], below)...)
	}
	return unknown
}

// dangling checks every !Ref, !GetAtt and !Sub below value and returns one
// sentence for each name that nothing in the template has.
func dangling(template map[string]any) []string {
	parameters, resources := mapAt(template, "Parameters"), mapAt(template, "Resources")
	var found []string
	walk("", template, func(where string, fn intrinsic) {
		for _, name := range namesIn(fn) {
			if name == "" {
				found = append(found, fmt.Sprintf("%s: %s %v is not understood", where, fn.tag, fn.arg))
				continue
			}
			logical, attribute, dotted := strings.Cut(name, ".")
			_, isParameter := parameters[logical]
			switch {
			case !dotted && (isParameter || isPseudo(logical)):
			case !dotted && typeOf(resources, logical) != "":
			case dotted && slices.Contains(attributes()[typeOf(resources, logical)], attribute):
			default:
				found = append(found, fmt.Sprintf("%s: %s %s leads nowhere", where, fn.tag, name))
			}
		}
	})
	return found
}

// attributes lists what !GetAtt can take from a resource of each type.
func attributes() map[string][]string {
	return map[string][]string{
		"AWS::Serverless::Function": {"Arn"},
		"AWS::Lambda::Url":          {"FunctionUrl", "FunctionArn"},
		"AWS::IAM::Role":            {"Arn", "RoleId"},
		"AWS::Logs::LogGroup":       {"Arn"},
		"AWS::SQS::Queue":           {"Arn", "QueueName", "QueueUrl"},
	}
}

// typeOf returns the type of a resource, also of those that SAM makes for a
// function: its role and its URL.
func typeOf(resources map[string]any, logical string) string {
	if kind, ok := at(resources, logical, "Type").(string); ok {
		return kind
	}
	if name, ok := strings.CutSuffix(logical, "Url"); ok && at(resources, name, "Properties",
		"FunctionUrlConfig") != nil {
		return "AWS::Lambda::Url"
	}
	if name, ok := strings.CutSuffix(logical, "Role"); ok &&
		at(resources, name, "Type") == "AWS::Serverless::Function" {
		return "AWS::IAM::Role"
	}
	return ""
}

func isPseudo(name string) bool {
	return slices.Contains([]string{"AWS::AccountId", "AWS::NoValue", "AWS::Partition", "AWS::Region",
		"AWS::StackName", "AWS::URLSuffix"}, name)
}

// namesIn lists the names that a function refers to. An empty name stands for
// something that the function does not take.
func namesIn(fn intrinsic) []string {
	text, ok := fn.arg.(string)
	switch {
	case !ok:
		return []string{""}
	case fn.tag == "!Ref" && !strings.Contains(text, "."), fn.tag == "!GetAtt" && strings.Contains(text, "."):
		return []string{text}
	case fn.tag == "!Sub":
		var names []string
		for _, match := range regexp.MustCompile(`\$\{([^!}][^}]*)\}`).FindAllStringSubmatch(text, -1) {
			names = append(names, match[1])
		}
		return names
	}
	return []string{""}
}

// walk visits every intrinsic below value, in the order of the keys.
func walk(where string, value any, visit func(where string, fn intrinsic)) {
	switch v := value.(type) {
	case intrinsic:
		visit(where, v)
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			walk(strings.TrimPrefix(where+"."+key, "."), v[key], visit)
		}
	case []any:
		for i, item := range v {
			walk(fmt.Sprintf("%s[%d]", where, i), item, visit)
		}
	}
}
